import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useChance } from "./use-chance.ts";
import type { Marks, OddsItem } from "./odds-item.ts";
import { OptionName } from "./OptionName.tsx";
import { RatesByTimes } from "./RatesByTimes.tsx";
import { Terms } from "./Terms.tsx";
import { TileMarks } from "./TileMarks.tsx";

/** `wide` is a row that wraps if the name is long; `square` is a column; `rates` lists several payouts. */
const SHAPES = {
  wide: "min-h-14 flex-wrap content-center items-center justify-between gap-x-2 gap-y-0.5 px-3 pt-2 pb-1.5",
  square: "min-h-18 flex-col items-center justify-center px-1 pt-2 pb-1",
  rates: "flex-col gap-1 px-3 pt-2.5 pb-2",
} as const;

interface Props {
  item: OddsItem;
  shape: "wide" | "square";
  isChosen: boolean;
  isCovered: boolean;
  marks: Marks;
  onToggle: (option: string) => void;
  /** The visible face, with its name for screen readers. */
  children: ReactNode;
}

/** One option with its odds and probability, marked in the odds item's colour. */
export function OptionTile({ item, shape, isChosen, isCovered, marks, onToggle, children }: Props) {
  const { type, color, pays } = item;
  const isByTimes = shape === "wide" && pays.length > 1;
  const look = isChosen
    ? "border-brand-text bg-brand-soft inset-ring inset-ring-brand-text"
    : "border-line bg-card hover:border-edge";
  const margin = isCovered ? "scroll-mb-[min(25rem,60dvh+4rem)]" : "scroll-mb-[4rem]";
  return (
    <button
      type="button"
      data-option={type}
      aria-pressed={isChosen}
      onClick={() => onToggle(type)}
      className={`relative flex min-w-0 scroll-mt-16 rounded-md border transition ${look} ${margin} ${SHAPES[isByTimes ? "rates" : shape]}`}
    >
      <span aria-hidden className="absolute inset-x-3 top-0 h-1 rounded-b-full" style={{ background: color }} />
      {isChosen && <Tick />}
      <TileMarks mark={marks.get(type)} />
      {isByTimes ? (
        <ByTimes item={item}>{children}</ByTimes>
      ) : (
        <>
          {children}
          <span className={`flex flex-col ${shape === "wide" ? "ms-auto text-end" : "items-center"}`}>
            <Terms item={item} quiet="text-muted" />
          </span>
        </>
      )}
    </button>
  );
}

/** The mark of a chosen option, on the corner, where it covers nothing. */
function Tick() {
  return (
    <span
      aria-hidden
      className="absolute -end-2 -top-2 grid size-5 place-items-center rounded-full bg-brand-deep text-on-brand"
    >
      <Check size={14} strokeWidth={4} />
    </span>
  );
}

/** The name and probability in one row, and below it the payout for each count. */
function ByTimes({ item: { pays, probability }, children }: Pick<Props, "item" | "children">) {
  const chance = useChance();
  return (
    <>
      <span className="flex flex-wrap items-baseline justify-between gap-x-2">
        {children}
        <span className="figures ms-auto text-xs text-muted">{chance(probability)}</span>
      </span>
      <RatesByTimes pays={pays} />
    </>
  );
}

/** A name, with its meaning on a second row. */
export function NamedFace({ name, hint }: { name: string; hint?: string | undefined }) {
  return (
    <span className="flex min-w-min flex-[1_1_4em] flex-col text-start">
      <span className="text-base/tight font-semibold break-keep">
        <OptionName name={name} />
      </span>
      {hint && <span className="text-xs text-muted">{hint}</span>}
    </span>
  );
}

/** Shows the number; screen readers get the name. */
export function NumberFace({ name, number }: { name: string; number: string }) {
  return (
    <>
      <span className="sr-only">{name}</span>
      <span aria-hidden className="figures text-lg/tight font-semibold">
        {number}
      </span>
    </>
  );
}
