import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { games, rounds } from "#db/schema/lottery.ts";

/** How long after its due draw an unpaid round is overdue. */
const OVERDUE_MS = 10_000;

/** Rounds whose bettors are not credited yet: open, drawn, overdue or failed; `lateMs` counts from the draw. */
export async function readUnpaidRounds(read: Tx, now: number) {
  const { id, day, number, drawsAt, failedAt, failure } = rounds;
  const rows = await read
    .select({ id, key: games.key, day, number, drawsAt, failedAt, failure })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(and(isNull(rounds.indexedAt), isNull(rounds.settledAt)));
  // Sorted here: with `order by id` SQLite would scan all rounds.
  const oldestFirst = rows.toSorted((a, b) => a.id - b.id);
  return oldestFirst.map(({ id: _id, drawsAt: dueAt, failedAt: failed, ...round }) => ({
    ...round,
    lateMs: Math.max(0, now - dueAt),
    isFailed: failed !== null,
    isOverdue: dueAt < now - OVERDUE_MS,
  }));
}
