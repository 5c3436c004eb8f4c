import { and, eq, isNull, max, min } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { anchors, bets, odds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { stateOpening } from "#server/domains/log/state-rounds.ts";
import { areSkipsTold, isClosingTold } from "#server/domains/log/told-closings.ts";
import { modeAt, ruleUnder, timetableUnder } from "#shared/lottery/beacon.ts";
import { isPausedAt } from "#shared/lottery/pauses.ts";
import { ordinalOf, roundAt, roundText, spanOf } from "#shared/lottery/schedule.ts";
import { correctGaps, recordMissed, wasDown, type ReasonsOf } from "./gaps.ts";
import type { Game } from "./read-games.ts";
import { readBeaconChanges } from "./read-beacon-changes.ts";
import { readPauses } from "./read-pauses.ts";
import type { Seeds } from "./seeds.ts";
import { markOpened, showGaps, shownUpTo } from "./shown-places.ts";

/**
 * Opens the current round and records missed rounds as gaps. Does nothing if the round is open already, its betting time
 * is over, a pause acts on it, or an earlier round is not closed for good, with its bets in an announced head: the commit
 * shown at opening is that round's seed. Nor does it open a place up to the highest that was shown of its day, one of a
 * day without an anchor, or one before the game's first odds.
 */
export async function openRound(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce" | "beacons">,
  seeds: Seeds,
  game: Game,
  reasonsOf: ReasonsOf = wasDown,
): Promise<boolean> {
  const now = deps.clock.now();
  const place = roundAt(game, now);
  const mode = modeAt(await readBeaconChanges(tx, game), ordinalOf(game, place));
  const span = spanOf(timetableUnder(mode, game), place);
  if (now >= span.closesAt || (await shownUpTo(tx, game, place.day)) >= place.number) return false;
  const { newest: oddsId, begunAt } = await oddsOf(tx, game.id);
  if (!(await hasAnchor(tx, game.id, place.day)) || span.closesAt < begunAt) return false;
  const pauses = await readPauses(tx, game);
  if (isPausedAt(pauses, ordinalOf(game, place)) || (await hasOpenRound(tx, game))) return false;
  const beaconRule = knownRule(mode, span.closesAt, deps);
  failpoint("round.open", game.id);
  await correctGaps(tx, game, now);
  await recordMissed(tx, game, place, now, { pauses, reasonsOf });
  await markOpened(tx, game, place);
  const [round] = await tx
    .insert(rounds)
    .values({
      gameId: game.id,
      ...place,
      commit: seeds.commitOf(game, place),
      beaconRule,
      oddsId,
      openedAt: now,
      closesAt: span.closesAt,
      drawsAt: span.drawsAt,
      fromBet: (await lastBet(tx)) + 1,
    })
    .returning();
  await stateOpening(tx, game, round!);
  await showGaps(tx, seeds, game, now);
  await deps.announce(tx, "round.opened", { gameId: game.id, roundId: round!.id });
  return true;
}

/** Which beacon a round that closes then waits for. */
function knownRule(mode: string, closesAt: number, { beacons }: Pick<Deps, "beacons">): string {
  const rule = ruleUnder(mode, closesAt, beacons.chains);
  if (rule === undefined) throw new Error(`this version does not know the beacon ${mode}`);
  return rule;
}

/** Whether an earlier round still takes bets, or nobody was told yet which of its bets count. */
async function hasOpenRound(tx: Tx, game: Game): Promise<boolean> {
  const isUndrawn = and(
    isNull(rounds.indexedAt),
    eq(rounds.gameId, game.id),
    isNull(rounds.drawnAt),
    isNull(rounds.refundedAt),
  );
  for (const { id, closedAt, ...place } of await tx.select().from(rounds).where(isUndrawn)) {
    if (closedAt === null || !(await isClosingTold(tx, id, { game: game.key, round: roundText(place) }))) return true;
  }
  return !(await areSkipsTold(tx, game));
}

/** The highest bet so far. The caller is the only writer, so no bet comes in between. */
export async function lastBet(tx: Tx): Promise<number> {
  const [{ last } = { last: null }] = await tx.select({ last: max(bets.id) }).from(bets);
  return last ?? 0;
}

/** Whether anybody may know the end of that day's chain. The clock may have been set since anchors were published. */
async function hasAnchor(tx: Tx, gameId: number, day: number): Promise<boolean> {
  const ofDay = and(eq(anchors.gameId, gameId), eq(anchors.day, day));
  const [known] = await tx.select({ day: anchors.day }).from(anchors).where(ofDay);
  return known !== undefined;
}

/** A game's newest odds, and when it got its first. A clock that went back before that would open rounds that nobody announced. */
async function oddsOf(tx: Tx, gameId: number): Promise<{ newest: number; begunAt: number }> {
  const [known] = await tx
    .select({ newest: max(odds.id), begunAt: min(odds.createdAt) })
    .from(odds)
    .where(eq(odds.gameId, gameId));
  const { newest, begunAt } = known!;
  if (newest === null) throw new Error(`game ${gameId} has no odds`);
  return { newest, begunAt: begunAt! };
}
