import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { BoardProps, OddsItem } from "#client/screens/lottery/odds-item.ts";
import { Terms } from "#client/screens/lottery/Terms.tsx";
import { TileMarks } from "#client/screens/lottery/TileMarks.tsx";
import { TermsByTimes } from "./TermsByTimes.tsx";

/**
 * `drawn` shows the face above the terms; `broad` does so across two columns. `named` adds the name; `banner` does so
 * across a whole row. `rates` shows a rate for each count.
 */
const SHAPES = {
  drawn: "min-h-18 flex-col items-center justify-center gap-1 px-1 pt-2.5 pb-2",
  broad: "col-span-2 min-h-18 flex-col items-center justify-center gap-1 px-1 pt-2.5 pb-2",
  named: "min-h-18 flex-col justify-between gap-1 px-3 py-2",
  banner: "col-span-full min-h-18 flex-col justify-between gap-1 px-3 py-2",
  rates: "min-h-18 flex-wrap items-center justify-between gap-x-2 gap-y-1 px-2 py-2",
} as const;

export type FeltShape = keyof typeof SHAPES;

interface Props extends Omit<BoardProps, "odds" | "chosen"> {
  item: OddsItem;
  isChosen: boolean;
  shape: FeltShape;
  /** The visible face; screen readers get the name. */
  children: ReactNode;
}

/** An option on the felt. A chosen one lights up, ringed in the odds item's colour. */
export function FeltTile({ item, isChosen, isCovered, marks, onToggle, shape, children }: Props) {
  const look = isChosen
    ? "border-die bg-die text-pip"
    : "border-felt-line bg-felt-deep text-on-felt hover:border-felt-muted";
  const margin = isCovered ? "scroll-mb-[min(25rem,60dvh+4rem)]" : "scroll-mb-[4rem]";
  return (
    <button
      type="button"
      data-option={item.type}
      aria-pressed={isChosen}
      onClick={() => onToggle(item.type)}
      className={`relative flex min-w-0 scroll-mt-16 rounded-md border transition focus-visible:outline-on-felt ${look} ${margin} ${SHAPES[shape]}`}
    >
      {isChosen ? <Ring color={item.color} /> : <Strip color={item.color} />}
      <TileMarks mark={marks.get(item.type)} />
      <Inside item={item} shape={shape} quiet={isChosen ? "text-pip" : "text-felt-muted"}>
        {children}
      </Inside>
    </button>
  );
}

/** The odds item's colour, lightened to stand out on the felt. */
function Strip({ color }: { color: string }) {
  return (
    <span
      aria-hidden
      className="absolute inset-x-3 top-0 h-1 rounded-b-full"
      style={{ background: `color-mix(in oklab, ${color} 60%, white)` }}
    />
  );
}

/** The ring of a chosen option; its mark stands on the corner, where it covers nothing. */
function Ring({ color }: { color: string }) {
  return (
    <span aria-hidden className="absolute -inset-px rounded-md border-3" style={{ borderColor: color }}>
      <span
        className="absolute -end-2 -top-2 grid size-5 place-items-center rounded-full text-on-brand"
        style={{ background: color }}
      >
        <Check size={14} strokeWidth={4} />
      </span>
    </span>
  );
}

function Inside({ item, shape, quiet, children }: Pick<Props, "item" | "shape" | "children"> & { quiet: string }) {
  const face = (
    <span aria-hidden className="flex min-w-min items-center gap-1 text-start text-xs">
      {children}
    </span>
  );
  if (shape === "rates") {
    return (
      <TermsByTimes item={item} quiet={quiet}>
        {face}
      </TermsByTimes>
    );
  }
  if (shape === "named" || shape === "banner") {
    return (
      <>
        <span className="text-start text-base/tight font-semibold">{item.name}</span>
        <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
          <span className="min-w-min flex-[1_1_4em]">{face}</span>
          <span className="ms-auto flex flex-col items-end">
            <Terms item={item} quiet={quiet} />
          </span>
        </span>
      </>
    );
  }
  return (
    <>
      <span className="sr-only">{item.name}</span>
      {face}
      <span className="flex flex-col items-center">
        <Terms item={item} quiet={quiet} />
      </span>
    </>
  );
}
