/** A series of bars and the token class that fills them. */
interface BarSeries {
  name: string;
  /** The formatted sum of the values. */
  total: string;
  /** The bars' `fill-…` class. */
  fill: string;
  values: readonly number[];
}

interface Props {
  /** The screen reader's text for the chart; a table beside it holds the numbers. */
  label: string;
  /** The column names; only the first and the last are shown. */
  columns: readonly string[];
  series: readonly BarSeries[];
  /** Formats the highest value. */
  format: (value: number) => string;
}

/** SVG units: the column width, the gap within it, and the height. */
const COLUMN = 12;
const AIR = 3;
const HEIGHT = 100;
/** The minimum height of a bar, so that small values stay visible. */
const LEAST = 1.5;

/** Grouped bars by column, starting at zero, without animation. */
export function BarChart({ label, columns, series, format }: Props) {
  const highest = Math.max(0, ...series.flatMap(({ values }) => values));
  return (
    <figure className="flex flex-col gap-2">
      <Legend series={series} />
      <p aria-hidden className="figures text-end text-xs text-muted">
        {format(highest)}
      </p>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${columns.length * COLUMN} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-36 w-full border-y border-line"
      >
        {series.map(({ name, fill, values }, place) => (
          <Bars key={name} fill={fill} values={values} highest={highest} place={place} of={series.length} />
        ))}
      </svg>
      <p aria-hidden className="flex justify-between gap-4 text-xs text-muted">
        <span>{columns[0]}</span>
        <span>{columns.at(-1)}</span>
      </p>
    </figure>
  );
}

interface BarsProps {
  fill: string;
  values: readonly number[];
  highest: number;
  /** The index of this series, and the number of series. */
  place: number;
  of: number;
}

function Bars({ fill, values, highest, place, of }: BarsProps) {
  const width = (COLUMN - AIR) / of;
  return values.map((value, column) => {
    if (value <= 0) return null;
    const height = Math.max(LEAST, (value / highest) * HEIGHT);
    const x = column * COLUMN + AIR / 2 + place * width;
    return <rect key={column} x={x} y={HEIGHT - height} width={width} height={height} className={fill} />;
  });
}

function Legend({ series }: Pick<Props, "series">) {
  return (
    <figcaption className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {series.map(({ name, total, fill }) => (
        <span key={name} className="inline-flex flex-wrap items-center gap-x-2">
          <svg viewBox="0 0 10 10" width={12} height={12} aria-hidden className={fill}>
            <rect width="10" height="10" rx="2" />
          </svg>
          {name}
          <span className="figures font-semibold">{total}</span>
        </span>
      ))}
    </figcaption>
  );
}
