import { and, eq, isNull, max } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { bets, odds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { roundAt, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import { correctGaps, highestOf, recordMissed, type GapReason } from "./gaps.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/**
 * Opens the current round and records missed rounds as gaps. Does nothing if the round is open already, its betting time
 * is over, the game is paused, or an earlier round is not closed for good: the commit shown at opening is that round's
 * seed. Nor does it open a round when a clock that was ahead opened a later one of the same day: the later commit hashes
 * down to this round's seed.
 */
export async function openRound(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  seeds: Seeds,
  game: Game,
  reasonOf: (first: RoundPlace) => GapReason = () => "down",
): Promise<boolean> {
  const now = deps.clock.now();
  const place = roundAt(game, now);
  const span = spanOf(game, place);
  if (game.paused || now >= span.closesAt) return false;
  if ((await highestOf(tx, game, place.day)) >= place.number) return false;
  const [unclosed] = await tx
    .select({ id: rounds.id })
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), eq(rounds.gameId, game.id), isNull(rounds.closedAt)))
    .limit(1);
  if (unclosed) return false;
  failpoint("round.open", game.id);
  await correctGaps(tx, game, now);
  await recordMissed(tx, game, place, now, reasonOf);
  const [round] = await tx
    .insert(rounds)
    .values({
      gameId: game.id,
      ...place,
      commit: seeds.commitOf(game, place),
      oddsId: await currentOdds(tx, game.id),
      openedAt: now,
      closesAt: span.closesAt,
      drawsAt: span.drawsAt,
      fromBet: (await lastBet(tx)) + 1,
    })
    .returning({ id: rounds.id });
  await deps.announce(tx, "round.opened", { gameId: game.id, roundId: round!.id });
  return true;
}

/** The highest bet so far. The caller is the only writer, so no bet comes in between. */
export async function lastBet(tx: Tx): Promise<number> {
  const [{ last } = { last: null }] = await tx.select({ last: max(bets.id) }).from(bets);
  return last ?? 0;
}

async function currentOdds(tx: Tx, gameId: number): Promise<number> {
  const [{ id } = { id: null }] = await tx
    .select({ id: max(odds.id) })
    .from(odds)
    .where(eq(odds.gameId, gameId));
  if (id === null) throw new Error(`game ${gameId} has no odds`);
  return id;
}
