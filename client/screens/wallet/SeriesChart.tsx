import { BarChart } from "#client/components/BarChart.tsx";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { reportSeries } from "#shared/contract/wallet.ts";
import { fromDecimal } from "#shared/money.ts";
import type { Period } from "#shared/period.ts";
import { usePeriodName } from "./use-period-name.ts";

export type SeriesRow = ReplyOf<typeof reportSeries>[number];

const SPANS = { day: "report.spanDay", week: "report.spanWeek", month: "report.spanMonth" } as const;

/** Stakes and wins side by side, as bars on one scale. */
export function SeriesChart({ by, rows }: { by: Period; rows: readonly SeriesRow[] }) {
  const text = useText();
  const money = useMoney();
  const nameOf = usePeriodName(by);
  const of = (figure: "play_money" | "win_money") => {
    const values = rows.map((row) => fromDecimal(row[figure]));
    return { values, total: money(values.reduce((sum, value) => sum + value, 0)) };
  };
  const staked = { name: text("report.play"), fill: "fill-brand", ...of("play_money") };
  const won = { name: text("report.win"), fill: "fill-jade", ...of("win_money") };
  return (
    <>
      <p className="mb-2 text-sm text-muted">{text(SPANS[by])}</p>
      <BarChart
        label={text("report.chart", { span: text(SPANS[by]), staked: staked.total, won: won.total })}
        columns={rows.map(({ from }) => nameOf(from))}
        series={[staked, won]}
        format={money}
      />
    </>
  );
}
