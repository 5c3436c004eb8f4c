import type { Countdown } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

/** A round as last received. Times are the server's, in ms since the epoch. */
export interface RoundView {
  expect: string | null;
  state: Lottery["state"];
  closeMs: number | null;
  drawMs: number | null;
  /** The server's clock when it sent this round. */
  sentAtMs: number;
  commit: string | null;
  /** Whether the draw takes a public beacon, and the oldest round that waits for its own. */
  beacon: Lottery["beacon"];
  awaitsBeacon: string | null;
  /** A pause that is announced or under way. */
  pause: Lottery["pause"];
}

export function viewOf(message: Lottery | Countdown): RoundView {
  const expect = "next_expect" in message ? message.next_expect : message.expect;
  const { state, close_ms, draw_ms, server_now_ms, commit, beacon, awaits_beacon, pause } = message;
  const times = { closeMs: close_ms, drawMs: draw_ms, sentAtMs: server_now_ms };
  return { expect, state, ...times, commit, beacon, awaitsBeacon: awaits_beacon, pause };
}

/** Milliseconds from `sentAtMs` until betting closes; 0 if it is closed or unknown. */
export function leftToClose(round: RoundView | null): number {
  return round?.state === "open" ? Math.max(0, (round.closeMs ?? 0) - round.sentAtMs) : 0;
}

/** Milliseconds from the closing, or from `sentAtMs` if later, until the draw; 0 in a pause. */
export function leftToDraw(round: RoundView | null): number {
  if (!round || round.state === "paused") return 0;
  return Math.max(0, (round.drawMs ?? 0) - Math.max(round.sentAtMs, round.closeMs ?? 0));
}

/** Rejects messages that arrive out of order. */
export const isNewer = (round: RoundView, than: RoundView | null): boolean => !than || round.sentAtMs >= than.sentAtMs;
