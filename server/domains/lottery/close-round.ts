import { and, eq, isNull, lte } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import { lastBet } from "./open-round.ts";

/**
 * Closes a round whose betting time is over: a durable write that every later
 * bet sees. Nothing may read the round's seed before it has been committed.
 */
export async function closeRound(tx: Tx, deps: Pick<Deps, "clock" | "announce">, roundId: number): Promise<boolean> {
  const now = deps.clock.now();
  const [closed] = await tx
    .update(rounds)
    .set({ closedAt: now, toBet: await lastBet(tx) })
    .where(and(eq(rounds.id, roundId), isNull(rounds.closedAt), lte(rounds.closesAt, now)))
    .returning({ gameId: rounds.gameId });
  if (closed) await deps.announce(tx, "round.closed", { gameId: closed.gameId, roundId });
  return closed !== undefined;
}
