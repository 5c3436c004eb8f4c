import { parseRound, spanOf, type Timetable } from "#shared/lottery/schedule.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Leaf } from "#shared/log/leaf.ts";

/** A leaf whose date decides what it may do. */
export type DatedLeaf = Leaf<"refund"> | Leaf<"pause"> | Leaf<"resume"> | Leaf<"beacon">;

/** What is announced is in a head so soon. */
const TOLD_MS = 2 * MINUTE_MS;
/** Stakes go back after a clock was wrong, so its clocks get more. Whoever escapes a draw by a date needs an hour. */
const RETURNED_MS = 30 * MINUTE_MS;

/** How much older than the head that holds it a leaf may be: what is announced is there before its round was to open. */
export function mostLate(leaf: DatedLeaf, timetable: Timetable | null): number {
  if (leaf.kind === "refund") return RETURNED_MS;
  if (!timetable) return TOLD_MS;
  const { opensAt } = spanOf(timetable, parseRound(leaf.from)!);
  return Math.min(TOLD_MS, Math.max(0, opensAt - leaf.at));
}
