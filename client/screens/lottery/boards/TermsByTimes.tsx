import type { ReactNode } from "react";
import { Die } from "#client/components/Dice.tsx";
import { useChance, useOdds } from "#client/hooks/use-chance.ts";
import { useText } from "#client/hooks/use-text.ts";
import type { OddsItem } from "#client/screens/lottery/odds-item.ts";

interface Props {
  item: OddsItem;
  quiet: string;
  /** The face it is about. */
  children: ReactNode;
}

/** A face with its chance, and what it pays on one die, on two, on three. */
export function TermsByTimes({ item: { type, name, pays, probability }, quiet, children }: Props) {
  const text = useText();
  const odds = useOdds();
  const chance = useChance();
  return (
    <>
      <span className="flex flex-col items-start gap-1">
        <span className="sr-only">{name}</span>
        {children}
        <span className={`figures text-xs ${quiet}`}>{chance(probability)}</span>
      </span>
      <span className="flex flex-col">
        {pays.map((rate, place) => (
          <span key={place} className="flex flex-wrap items-center justify-end gap-x-1.5">
            <span className="sr-only">{text("board.times", { count: place + 1 })}</span>
            <span aria-hidden className="flex gap-0.5 text-sm">
              {Array.from({ length: place + 1 }, (_, die) => (
                <Die key={die} face={Number(type)} size={11} className="size-[0.8em]" />
              ))}
            </span>
            <span className="figures min-w-[2.1em] text-end text-sm font-medium">×{odds(rate)}</span>
          </span>
        ))}
      </span>
    </>
  );
}
