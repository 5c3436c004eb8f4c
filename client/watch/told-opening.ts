import type { Countdown } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import type { Event } from "./messages.ts";

/** What a game's state says of the round that is open or waits for its draw. Null without one. */
export function openingIn(game: Lottery | Countdown): Extract<Event, { type: "open" }> | null {
  const { key, commit, beacon, close_ms: closes, state } = game;
  const expect = "next_expect" in game ? game.next_expect : game.expect;
  if (expect === null || commit === null) return null;
  const more = "kind" in game ? { kind: game.kind, period: game.period } : {};
  return { type: "open", key, expect, commit, beacon, closes: closes!, isOpen: state === "open", ...more };
}
