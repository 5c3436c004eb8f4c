import { and, eq, isNull, lte } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import { lastBet } from "./open-round.ts";

/**
 * In a transaction of the kind `fence` (db/connect.ts), closes a round whose betting time is over: a durable write that every later
 * bet sees. Nothing may read the round's seed before it has been committed.
 */
export async function closeRound(tx: Tx, deps: Pick<Deps, "clock" | "announce">, roundId: number): Promise<boolean> {
  const now = deps.clock.now();
  const [closed] = await tx
    .update(rounds)
    .set({ closedAt: now })
    .where(and(eq(rounds.id, roundId), isNull(rounds.closedAt), lte(rounds.closesAt, now)))
    .returning({ gameId: rounds.gameId });
  if (!closed) return false;
  // Whatever was being taken meanwhile has been waited for, and is there now.
  await tx
    .update(rounds)
    .set({ toBet: await lastBet(tx) })
    .where(eq(rounds.id, roundId));
  await deps.announce(tx, "round.closed", { gameId: closed.gameId, roundId });
  return true;
}
