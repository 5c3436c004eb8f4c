import { Sheet } from "#client/components/Sheet.tsx";
import { countFallen, placeOnRoad } from "#client/machines/past-draws.ts";
import { useList } from "#client/text/use-list.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import type { Draw } from "#shared/lottery/rules.ts";
import { boardOf, roadsOf, wordsOf } from "./boards.ts";
import type { DrawMark } from "./draw-words.ts";
import { useOptionName } from "./use-option-name.ts";

interface Props {
  kind: string;
  /** Oldest first. */
  draws: readonly Draw[];
}

/** Past draws as roads, and how often each option fell against what is expected. */
export function DrawStats({ isOpen, onClose, ...given }: Props & { isOpen: boolean; onClose: () => void }) {
  const text = useText();
  const { kind, draws } = given;
  return (
    <Sheet title={text("round.stats")} isOpen={isOpen} onClose={onClose}>
      <div className="flex flex-col gap-4 pb-2">
        <p className="text-sm">{text("round.independent")}</p>
        <p className="text-sm text-muted">{text("round.statsOf", { shown: draws.length })}</p>
        {roadsOf(kind, draws).map((outcomes, place) => (
          <Road key={place} outcomes={outcomes} {...given} />
        ))}
        {boardOf(kind).counted && <Spread {...given} />}
      </div>
    </Sheet>
  );
}

/** The usual height of such roads, in cells. */
const ROWS = 6;

/** The shape tells the outcomes apart as well as the colour. */
const SHAPES = {
  warm: "rounded-full border-brand-deep bg-brand-deep text-on-brand",
  cool: "rounded-full border-jade text-jade",
  plain: "rounded-sm border-edge text-muted",
} as const;
const CELL = "figures grid size-[1.75rem] place-items-center border-2 text-xs font-semibold";

const toNewest = (road: HTMLElement | null) => {
  if (!road) return;
  // Mirrored, a row counts its way from the right, below 0.
  road.scrollLeft = getComputedStyle(road).direction === "rtl" ? -road.scrollWidth : road.scrollWidth;
};

/** One road, with the count of each outcome above it. */
function Road({ kind, draws, outcomes }: Props & { outcomes: readonly DrawMark[] }) {
  const text = useText();
  const list = useList();
  const names = outcomes.map(({ key, values }) => text(key, values));
  const cells = placeOnRoad(names, ROWS);
  const all = new Map(names.map((name, place) => [name, outcomes[place]!.tone]));
  return (
    <section className="flex flex-col gap-2">
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {[...all].map(([name, tone]) => (
          <span key={name} className="figures inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-[0.9em] border-2 ${SHAPES[tone]}`} />
            {name} {names.filter((other) => other === name).length}
          </span>
        ))}
      </p>
      <div
        ref={toNewest}
        role="group"
        tabIndex={0}
        aria-label={text("round.road", { outcomes: list(names) })}
        className="-mx-4 overflow-x-auto px-4 py-1"
      >
        <div aria-hidden className="grid w-fit auto-rows-[1.75rem] gap-0.5">
          {cells.map(({ column, row }, place) => (
            <span
              key={place}
              style={{ gridColumn: column, gridRow: row }}
              className={`${CELL} ${SHAPES[outcomes[place]!.tone]}`}
            >
              {figureOf(kind, draws[place]!)}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** The sum, or the face that fell more than once. */
function figureOf(kind: string, draw: Draw) {
  const { sum, marks } = wordsOf(kind, draw);
  return sum ?? marks[0]?.values?.["face"];
}

/** A bar for how often each option fell, and a mark where it is expected. */
function Spread({ kind, draws }: Props) {
  const text = useText();
  const counts = countFallen(kind, boardOf(kind).counted, draws);
  const highest = Math.max(1, ...counts.flatMap(({ fell, expected }) => [fell, expected]));
  const height = (count: number) => ({ height: `${(count / highest) * 100}%` });
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{text("round.spread")}</h3>
      <p aria-hidden className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <Sign name={text("round.fell")} look="size-[0.9em] bg-jade" />
        <Sign name={text("round.expected")} look="w-[1.1em] border-t-3 border-brand-text" />
      </p>
      <div
        tabIndex={0}
        role="group"
        aria-label={text("round.spread")}
        className="relative -mx-4 overflow-x-auto px-4 pt-1"
      >
        <ol aria-hidden className="flex gap-0.5">
          {counts.map(({ type, fell, expected }) => (
            <li key={type} className="figures flex min-w-[1.125rem] flex-1 flex-col items-center text-xs">
              {fell}
              <span className="relative h-[7rem] w-full border-b border-edge">
                <span className="absolute inset-x-0.5 bottom-0 bg-jade" style={height(fell)} />
                <span className="absolute inset-x-0 bottom-0 border-t-3 border-brand-text" style={height(expected)} />
              </span>
              <span className="text-muted">{type}</span>
            </li>
          ))}
        </ol>
        <div className="sr-only">
          <SpreadTable kind={kind} counts={counts} />
        </div>
      </div>
    </section>
  );
}

const Sign = ({ name, look }: { name: string; look: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={look} />
    {name}
  </span>
);

/** The bars in words, for screen readers. */
function SpreadTable({ kind, counts }: { kind: string; counts: ReturnType<typeof countFallen> }) {
  const text = useText();
  const nameOf = useOptionName(kind);
  const average = numberFormat(tagOf(useLanguage()), { maximumFractionDigits: 1 });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text("order.details")}</th>
          <th scope="col">{text("round.fell")}</th>
          <th scope="col">{text("round.expected")}</th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ type, fell, expected }) => (
          <tr key={type}>
            <th scope="row">{nameOf(type)}</th>
            <td>{fell}</td>
            <td>{average.format(expected)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
