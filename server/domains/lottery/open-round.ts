import { and, desc, eq, isNull, max } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { bets, gaps, odds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/deps.ts";
import { ordinalOf, placeOf, roundAt, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/**
 * Opens the round in whose time we are, unless it is open already, its betting
 * time is over, the game is paused, or an earlier round is not closed for good
 * (the commit that opening shows is that round's seed). What was missed since
 * the last round becomes one gap.
 */
export async function openRound(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  seeds: Seeds,
  game: Game,
): Promise<boolean> {
  const now = deps.clock.now();
  const place = roundAt(game, now);
  const span = spanOf(game, place);
  if (game.paused || now >= span.closesAt) return false;
  const last = await lastRound(tx, game.id);
  if (last && ordinalOf(game, last) >= ordinalOf(game, place)) return false;
  const [unclosed] = await tx
    .select({ id: rounds.id })
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), eq(rounds.gameId, game.id), isNull(rounds.closedAt)))
    .limit(1);
  if (unclosed) return false;
  if (last) await recordGap(tx, game, last, place, now);
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

async function lastRound(tx: Tx, gameId: number) {
  const [last] = await tx
    .select({ day: rounds.day, number: rounds.number, openedAt: rounds.openedAt })
    .from(rounds)
    .where(eq(rounds.gameId, gameId))
    .orderBy(desc(rounds.day), desc(rounds.number))
    .limit(1);
  return last;
}

/** The highest bet so far; the writer is alone, so no bet comes between. */
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

async function recordGap(tx: Tx, game: Game, last: RoundPlace & { openedAt: number }, next: RoundPlace, now: number) {
  const from = ordinalOf(game, last) + 1;
  const to = ordinalOf(game, next) - 1;
  if (to < from) return;
  const [first, final] = [placeOf(game, from), placeOf(game, to)];
  await tx.insert(gaps).values({
    gameId: game.id,
    fromDay: first.day,
    fromNumber: first.number,
    toDay: final.day,
    toNumber: final.number,
    reason: game.pausedAt !== null && game.pausedAt >= last.openedAt ? "paused" : "down",
    createdAt: now,
  });
}
