import { Check } from "lucide-react";
import { useText } from "#client/hooks/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { lotteryOdds } from "#shared/contract/lottery.ts";
import { useChance, useOdds } from "./use-chance.ts";

export type OddsItem = ReplyOf<typeof lotteryOdds>[number];

const HINTS = { A: "option.hintA", B: "option.hintB", C: "option.hintC", D: "option.hintD" } as const;
const isEven = (type: string): type is keyof typeof HINTS => type in HINTS;

interface Props {
  odds: OddsItem[];
  chosen: readonly string[];
  onToggle: (option: string) => void;
}

/** What can be chosen: the four even chances, and the sums; each with its odds and its chance. */
export function OptionBoard({ odds, chosen, onToggle }: Props) {
  const text = useText();
  const tile = (item: OddsItem) => (
    <Tile key={item.type} item={item} isChosen={chosen.includes(item.type)} onToggle={onToggle} />
  );
  return (
    <>
      <section aria-label={text("option.evens")} className="grid grid-cols-2 gap-2.5 min-[420px]:grid-cols-4">
        {odds.filter(({ type }) => isEven(type)).map(tile)}
      </section>
      <section aria-label={text("option.sums")} className="grid grid-cols-4 gap-2">
        {odds.filter(({ type }) => !isEven(type)).map(tile)}
      </section>
    </>
  );
}

interface TileProps {
  item: OddsItem;
  isChosen: boolean;
  onToggle: (option: string) => void;
}

function Tile({ item: { type, name, proportion, color, probability }, isChosen, onToggle }: TileProps) {
  const text = useText();
  const chance = useChance()(probability);
  const odds = useOdds()(proportion);
  const isLarge = isEven(type);
  return (
    <button
      type="button"
      data-option={type}
      aria-pressed={isChosen}
      aria-label={isLarge ? undefined : `${name} ×${odds} ${chance}`}
      onClick={() => onToggle(type)}
      className={`relative flex min-h-18 flex-col items-center justify-center overflow-hidden rounded-md border bg-card px-1 py-2 text-center transition ${isChosen ? "border-brand-text bg-brand-soft" : "border-line hover:border-edge"}`}
    >
      {/* The odds item's own colour. */}
      <span aria-hidden className="absolute inset-x-0 top-0 h-1" style={{ background: color }} />
      {isChosen && <Check size={16} aria-hidden className="absolute end-1 top-1.5 text-brand-text" />}
      <span className={`figures font-semibold ${isLarge ? "text-base" : "text-lg"}`}>{isLarge ? name : type}</span>
      {isLarge && <span className="text-xs text-muted">{text(HINTS[type])}</span>}
      <span className="figures text-sm font-medium">×{odds}</span>
      <span className="figures text-xs text-muted">{chance}</span>
    </button>
  );
}
