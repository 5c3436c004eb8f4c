import { useEffect, useRef } from "react";
import { scrollIntoView } from "./scroll-into-view.ts";
import type { BettingActor } from "./use-betting-round.ts";

/** Brings the table back into sight once a bet is taken: a board may be long, and the dice fall above it. */
export function useTableInView(actor: BettingActor) {
  const table = useRef<HTMLElement>(null);
  useEffect(() => {
    const placed = actor.on("placed", () => scrollIntoView(table.current));
    return () => placed.unsubscribe();
  }, [actor]);
  return table;
}
