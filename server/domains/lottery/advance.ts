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
export async function advanceGame(
  deps: Deps,
  seeds: Seeds,
  game: Game,
  onDrawn = (_roundIds: number[]) => {},
): Promise<void> {
  const { db } = deps;
  for (const { id, closedAt, closesAt } of await undrawn(deps, game)) {
    if (closedAt === null && closesAt <= deps.clock.now()) await db.transact((tx) => closeRound(tx, deps, id), "fence");
  }
  const waiting = await undrawn(deps, game);
  const due = waiting.filter(({ closedAt, drawsAt }) => closedAt !== null && drawsAt <= deps.clock.now());
  const { day, number } = roundAt(game, deps.clock.now());
  const isOpen = waiting.some((round) => round.day === day && round.number === number);
  // Most turns find nothing to do, and then the writer is left to the bets.
  if (due.length > 0) {
    onDrawn(await drawRounds(deps, seeds, game, due));
  }
  if (!isOpen && !game.paused) await db.transact((tx) => openRound(tx, deps, seeds, game));
}

/** Draws those that nobody else has drawn meanwhile, and says which. */
function drawRounds(deps: Deps, seeds: Seeds, game: Game, due: Awaited<ReturnType<typeof undrawn>>): Promise<number[]> {
  return deps.db.transact(async (tx) => {
    const drawn: number[] = [];
    for (const round of due) if (await drawRound(tx, deps, seeds, game, round)) drawn.push(round.id);
    return drawn;
  });
}

function undrawn({ db }: Deps, game: Game) {
  return db.read
    .select()
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), isNull(rounds.drawnAt), eq(rounds.gameId, game.id)))
    .orderBy(rounds.id);
}

/** How long the process that drew a round is left alone with settling it. */
const OWN_MS = 1_000;

/**
 * Rounds that are drawn and not settled to the last row, oldest first: those of `own`, and those that whoever drew
 * them should have settled by now. Without `own`, all.
 */
export async function unsettledRounds(
  { db, clock }: Pick<Deps, "db" | "clock">,
  own?: ReadonlySet<number>,
): Promise<number[]> {
  const before = clock.now() - OWN_MS;
  const open = await db.read
    .select({ id: rounds.id, drawnAt: rounds.drawnAt })
    .from(rounds)
    // Sorted here: asked to sort by id, SQLite would walk through all rounds there ever were.
    .where(isNull(rounds.indexedAt));
  const due = open.filter(({ id, drawnAt }) => drawnAt !== null && (own?.has(id) !== false || drawnAt <= before));
  return due.map(({ id }) => id).sort((a, b) => a - b);
}

/** When the game needs `advanceGame` next: the round's close, its draw, or the next opening. */
export function nextTurn(game: Game, now: number): number {
  const { closesAt, drawsAt } = spanOf(game, roundAt(game, now));
  return now < closesAt ? closesAt : Math.min(drawsAt, now + game.periodS * SECOND_MS);
}
