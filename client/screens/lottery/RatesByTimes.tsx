import type { ReactNode } from "react";
import { useTimes } from "./use-chance.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  pays: readonly string[];
  quiet?: string;
  /** Drawn in place of visible words; screen readers get the words. */
  drawn?: (times: number) => ReactNode;
}

/** An option's payout for one hit, two and so on, one row each. */
export function RatesByTimes({ pays, quiet = "text-muted", drawn }: Props) {
  const text = useText();
  const times = useTimes();
  return (
    <span className="figures flex flex-col">
      {pays.map((rate, place) => (
        <span
          key={place}
          className={`flex flex-wrap items-center gap-x-1.5 ${drawn ? "justify-end" : "justify-between"}`}
        >
          <span className={drawn ? "sr-only" : `text-xs ${quiet}`}>{text("board.times", { count: place + 1 })}</span>
          {drawn?.(place + 1)}
          <span className={`min-w-[2.1em] text-end text-sm font-medium ${drawn ? "" : "ms-auto"}`}>{times(rate)}</span>
        </span>
      ))}
    </span>
  );
}
