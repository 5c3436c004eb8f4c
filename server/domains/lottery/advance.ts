import { and, eq, isNull } from "drizzle-orm";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import { roundAt, spanOf } from "#shared/lottery/schedule.ts";
import { SECOND_MS } from "#shared/time.ts";
import { closeRound } from "./close-round.ts";
import { drawRound } from "./draw-round.ts";
import { openRound } from "./open-round.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/**
 * Brings a game's rounds up to the clock: closes what is due, draws what is
 * closed and due, opens what is next. Every step is a conditional write, so
 * any number of processes may do this at once and after any break.
 */
export async function advanceGame(deps: Deps, seeds: Seeds, game: Game, onDrawn = () => {}): Promise<void> {
  const { db } = deps;
  for (const { id, closedAt, closesAt } of await undrawn(deps, game)) {
    if (closedAt === null && closesAt <= deps.clock.now()) await db.transact((tx) => closeRound(tx, deps, id));
  }
  const waiting = await undrawn(deps, game);
  const due = waiting.filter(({ closedAt, drawsAt }) => closedAt !== null && drawsAt <= deps.clock.now());
  const { day, number } = roundAt(game, deps.clock.now());
  const isOpen = waiting.some((round) => round.day === day && round.number === number);
  // Most turns find nothing to do, and then the writer is left to the bets.
  if (due.length > 0) {
    await db.transact(async (tx) => {
      for (const round of due) await drawRound(tx, deps, seeds, game, round);
    });
    onDrawn();
  }
  if (!isOpen && !game.paused) await db.transact((tx) => openRound(tx, deps, seeds, game));
}

function undrawn({ db }: Deps, game: Game) {
  return db.read
    .select()
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), isNull(rounds.drawnAt), eq(rounds.gameId, game.id)))
    .orderBy(rounds.id);
}

/** Rounds that are drawn and not settled to the last row, oldest first. */
export async function unsettledRounds({ db }: Pick<Deps, "db">): Promise<number[]> {
  const open = await db.read
    .select({ id: rounds.id, drawnAt: rounds.drawnAt })
    .from(rounds)
    // Sorted here: asked to sort by id, SQLite would walk through all rounds there ever were.
    .where(isNull(rounds.indexedAt));
  const drawn = open.filter(({ drawnAt }) => drawnAt !== null).map(({ id }) => id);
  return drawn.sort((a, b) => a - b);
}

/** When the game needs `advanceGame` next: the round's close, its draw, or the next opening. */
export function nextTurn(game: Game, now: number): number {
  const { closesAt, drawsAt } = spanOf(game, roundAt(game, now));
  return now < closesAt ? closesAt : Math.min(drawsAt, now + game.periodS * SECOND_MS);
}
