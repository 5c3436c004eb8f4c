import { Check } from "lucide-react";
import { useText } from "#client/hooks/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { lotteryOdds } from "#shared/contract/lottery.ts";
import { useChance, useOdds } from "#client/hooks/use-chance.ts";

export type OddsItem = ReplyOf<typeof lotteryOdds>[number];

const HINTS = { A: "option.hintA", B: "option.hintB", C: "option.hintC", D: "option.hintD" } as const;
type EvenType = keyof typeof HINTS;
export const isEven = (type: string): type is EvenType => type in HINTS;

/** An even chance is a wide row, a sum a small square. */
const SHAPES = {
  even: "min-h-14 justify-between gap-2 py-1.5 ps-3 pe-6",
  sum: "min-h-18 flex-col justify-center px-1 pt-1.5 pb-1",
} as const;

interface Props {
  item: OddsItem;
  isChosen: boolean;
  isCovered: boolean;
  onToggle: (option: string) => void;
}

/** One option with its odds and its chance; it wears the odds item's own colour. */
export function OptionTile({ item, isChosen, isCovered, onToggle }: Props) {
  const { type, color } = item;
  const look = isChosen
    ? "border-brand-text bg-brand-soft inset-ring inset-ring-brand-text"
    : "border-line bg-card hover:border-edge";
  const margin = isCovered ? "scroll-mb-84" : "scroll-mb-16";
  const shape = isEven(type) ? SHAPES.even : SHAPES.sum;
  return (
    <button
      type="button"
      data-option={type}
      aria-pressed={isChosen}
      onClick={() => onToggle(type)}
      className={`relative flex scroll-mt-16 items-center overflow-hidden rounded-md border transition ${look} ${margin} ${shape}`}
    >
      <span aria-hidden className="absolute inset-x-0 top-0 h-1" style={{ background: color }} />
      {isChosen && <Check size={16} strokeWidth={3} aria-hidden className="absolute end-1 top-1.5 text-brand-text" />}
      {isEven(type) ? <EvenFace item={item} type={type} /> : <SumFace item={item} />}
    </button>
  );
}

function EvenFace({ item, type }: { item: OddsItem; type: EvenType }) {
  const text = useText();
  return (
    <>
      <span className="flex min-w-0 flex-col text-start">
        <span className="text-base/5 font-semibold">{item.name}</span>
        <span className="text-xs text-muted">{text(HINTS[type])}</span>
      </span>
      <span className="flex flex-col text-end">
        <Terms item={item} />
      </span>
    </>
  );
}

/** The number is seen, its name heard. */
function SumFace({ item }: { item: OddsItem }) {
  return (
    <>
      <span className="sr-only">{item.name}</span>
      <span aria-hidden className="figures text-lg/6 font-semibold">
        {item.type}
      </span>
      <Terms item={item} />
    </>
  );
}

function Terms({ item: { proportion, probability } }: { item: OddsItem }) {
  const odds = useOdds();
  const chance = useChance();
  return (
    <>
      <span className="figures text-sm/4.5 font-medium">×{odds(proportion)}</span>
      <span className="figures text-xs text-muted">{chance(probability)}</span>
    </>
  );
}
