import { and, asc, between, eq, isNotNull, isNull, sum } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { bets, logRounds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { addNewLeaf } from "#server/domains/log/add-leaf.ts";
import { isClosingTold } from "#server/domains/log/told-closings.ts";
import { isTooFar } from "#shared/lottery/beacon.ts";
import { roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import type { Game } from "./read-games.ts";

type Needs = Pick<Deps, "clock" | "announce" | "beacons">;

/**
 * Says that the stakes of a closed round go back, because its beacon lies more than an hour ahead: a clock was wrong as it
 * opened. Nobody can know its result, so nobody gains. One transaction marks the round, states it in the log and tells
 * the members; settling then returns each stake as it would pay a win. Returns whether this call did so.
 */
export async function refundRound(
  tx: Tx,
  deps: Needs,
  game: Game,
  { id, ...place }: RoundPlace & { id: number },
): Promise<boolean> {
  const now = deps.clock.now();
  const subject = { game: game.key, round: roundText(place) };
  const due = and(
    eq(rounds.id, id),
    isNotNull(rounds.closedAt),
    isNull(rounds.drawnAt),
    isNull(rounds.failedAt),
    isNull(rounds.skippedAt),
    isNull(rounds.refundedAt),
  );
  const [round] = await tx.select().from(rounds).where(due);
  if (!round || !isTooFar(round.beaconRule, deps.beacons.chains, now)) return false;
  if (!(await isClosingTold(tx, id, subject))) return false;
  const changed = await tx.update(rounds).set({ refundedAt: now }).where(due).returning({ id: rounds.id });
  if (changed.length === 0) return false;
  failpoint("round.refund", id);
  // A round from before the log has no row: the log did not say that it was opened either.
  const [stated] = await tx.delete(logRounds).where(eq(logRounds.roundId, id)).returning();
  if (stated) {
    const counted = { bets: stated.bets!, stake: stated.staked!, bets_root: stated.betsRoot! };
    await addNewLeaf(tx, { kind: "refund", ...subject, ...counted, reason: "clock", at: now });
  }
  await tellBettors(tx, deps, round, subject.round);
  await deps.announce(tx, "log.waiting", {});
  return true;
}

async function tellBettors(
  tx: Tx,
  deps: Needs,
  { id, fromBet, toBet }: typeof rounds.$inferSelect,
  round: string,
): Promise<void> {
  const isOfRound = and(between(bets.id, fromBet, toBet!), eq(bets.roundId, id));
  const staked = await tx
    .select({ memberId: bets.memberId, total: sum(bets.total).mapWith(Number) })
    .from(bets)
    .where(isOfRound)
    .groupBy(bets.memberId)
    .orderBy(asc(bets.memberId));
  for (const { memberId, total } of staked)
    await addMessage(tx, deps, memberId, "round.returned", { round, money: toDecimal(total) });
}
