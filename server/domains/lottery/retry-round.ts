import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { rounds } from "#db/schema/lottery.ts";

/**
 * Lets servers retry a round that failed a check. Its bets, odds and dice are unchanged. Returns the check that failed, or
 * null when none did.
 */
export async function retryRound(tx: Tx, gameId: number, { day, number }: { day: number; number: number }) {
  const named = and(eq(rounds.gameId, gameId), eq(rounds.day, day), eq(rounds.number, number));
  const [round] = await tx.select({ failure: rounds.failure }).from(rounds).where(named);
  if (!round?.failure) return null;
  await tx.update(rounds).set({ failedAt: null, failure: null }).where(named);
  return round.failure;
}
