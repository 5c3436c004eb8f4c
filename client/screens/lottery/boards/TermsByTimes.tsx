import type { ReactNode } from "react";
import { Die } from "#client/components/Dice.tsx";
import { useChance } from "#client/screens/lottery/use-chance.ts";
import type { OddsItem } from "#client/screens/lottery/odds-item.ts";
import { RatesByTimes } from "#client/screens/lottery/RatesByTimes.tsx";

interface Props {
  item: OddsItem;
  quiet: string;
  /** The face to bet on. */
  children: ReactNode;
}

/** A face with its probability, and its payout on one, two and three dice. */
export function TermsByTimes({ item: { type, name, pays, probability }, quiet, children }: Props) {
  const chance = useChance();
  return (
    <>
      <span className="flex flex-col items-start gap-1">
        <span className="sr-only">{name}</span>
        {children}
        <span className={`figures text-xs ${quiet}`}>{chance(probability)}</span>
      </span>
      <RatesByTimes
        pays={pays}
        drawn={(times) => (
          <span aria-hidden className="flex gap-0.5 text-sm">
            {Array.from({ length: times }, (_, die) => (
              <Die key={die} face={Number(type)} size={11} className="size-[0.8em]" />
            ))}
          </span>
        )}
      />
    </>
  );
}
