import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { OddsItem } from "./odds-item.ts";
import { Terms } from "./Terms.tsx";

/** A wide tile is a row, a square one a column. */
const SHAPES = {
  wide: "min-h-14 justify-between gap-2 py-1.5 ps-3 pe-6",
  square: "min-h-18 flex-col justify-center px-1 pt-1.5 pb-1",
} as const;

interface Props {
  item: OddsItem;
  shape: keyof typeof SHAPES;
  isChosen: boolean;
  isCovered: boolean;
  onToggle: (option: string) => void;
  /** Its face, named for readers too. */
  children: ReactNode;
}

/** One option with its odds and its chance; it wears the odds item's own colour. */
export function OptionTile({ item, shape, isChosen, isCovered, onToggle, children }: Props) {
  const { type, color } = item;
  const look = isChosen
    ? "border-brand-text bg-brand-soft inset-ring inset-ring-brand-text"
    : "border-line bg-card hover:border-edge";
  const margin = isCovered ? "scroll-mb-[min(21rem,60dvh+4rem)]" : "scroll-mb-[4rem]";
  return (
    <button
      type="button"
      data-option={type}
      aria-pressed={isChosen}
      onClick={() => onToggle(type)}
      className={`relative flex scroll-mt-16 items-center overflow-hidden rounded-md border transition ${look} ${margin} ${SHAPES[shape]}`}
    >
      <span aria-hidden className="absolute inset-x-0 top-0 h-1" style={{ background: color }} />
      {isChosen && <Check size={16} strokeWidth={3} aria-hidden className="absolute end-1 top-1.5 text-brand-text" />}
      {children}
      <span className={`flex flex-col ${shape === "wide" ? "text-end" : "items-center"}`}>
        <Terms item={item} quiet="text-muted" />
      </span>
    </button>
  );
}

/** A name, and what it means in a line of its own. */
export function NamedFace({ name, hint }: { name: string; hint?: string | undefined }) {
  return (
    <span className="flex min-w-0 flex-col text-start">
      <span className="text-base/tight font-semibold">{name}</span>
      {hint && <span className="text-xs text-muted">{hint}</span>}
    </span>
  );
}

/** The number is seen, its name heard. */
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
