import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { logRounds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { addNewLeaf } from "#server/domains/log/add-leaf.ts";
import { isClosingTold } from "#server/domains/log/told-closings.ts";
import { isTooFar } from "#shared/lottery/beacon.ts";
import { roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";

type Needs = Pick<Deps, "clock" | "announce" | "beacons">;

/**
 * Says that the stakes of a closed round go back, because its beacon lies more than an hour ahead: a clock was wrong as it
 * opened. Nobody can know its result, so nobody gains. One transaction marks the round and states it in the log; settling
 * then returns each stake as it would pay a win, and tells its member. Returns whether this call did so.
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
  await deps.announce(tx, "log.waiting", {});
  return true;
}
