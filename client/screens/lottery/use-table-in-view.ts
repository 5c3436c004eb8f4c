import { useEffect, useRef } from "react";
import { scrollIntoSight } from "./scroll-into-view.ts";
import type { BettingActor } from "./use-betting-round.ts";

/** Brings the table back into sight once a bet is taken: a board may be long, and the dice fall above it. */
export function useTableInSight(actor: BettingActor) {
  const table = useRef<HTMLElement>(null);
  useEffect(() => {
    const placed = actor.on("placed", () => scrollIntoSight(table.current));
    return () => placed.unsubscribe();
  }, [actor]);
  return table;
}
