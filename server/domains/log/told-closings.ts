import { and, asc, eq, isNotNull } from "drizzle-orm";
import { isOneOf } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { logRounds } from "#db/schema/log.ts";
import { games, rounds } from "#db/schema/lottery.ts";
import { currentLog } from "./add-leaf.ts";
import { roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import { newestTold, readNumbers } from "./read-log.ts";
import { keyOfRound, type RoundSubject } from "./round-keys.ts";

interface LoggedRound extends RoundPlace {
  id: number;
  gameId: number;
  /** The game's key. */
  game: string;
}

/**
 * Whether everybody was told which bets of a round count: a head that was signed and announced holds its closing. Rounds
 * that were opened before there was a log are not waited for.
 */
export const isClosingTold = async (read: Tx, roundId: number, subject: RoundSubject): Promise<boolean> =>
  (await untoldOf(read, new Map([[roundId, subject]]))).size === 0;

/** The rounds, by their ids, whose closing is still to be told. */
async function untoldOf(read: Tx, subjects: ReadonlyMap<number, RoundSubject>): Promise<Set<number>> {
  const stated = await read
    .select({ id: logRounds.roundId, root: logRounds.betsRoot })
    .from(logRounds)
    .where(isOneOf(logRounds.roundId, [...subjects.keys()]));
  const keys = new Map(
    stated.flatMap(({ id, root }) => (root === null ? [] : [[id, keyOfRound("close", subjects.get(id)!)] as const])),
  );
  if (keys.size === 0) return new Set(stated.map(({ id }) => id));
  const numbers = await readNumbers(read, currentLog, [...keys.values()]);
  const size = (await newestTold(read))?.size ?? 0;
  const isTold = (id: number) => (numbers.get(keys.get(id) ?? "") ?? size) < size;
  return new Set(stated.flatMap(({ id }) => (isTold(id) ? [] : [id])));
}

/** Games with a round among these, or one that was skipped, whose closing is still to be told: their ids. */
export async function untoldGames(read: Tx, closed: readonly LoggedRound[]): Promise<Set<number>> {
  const all = new Map([...closed, ...(await skippedRounds(read))].map((round) => [round.id, round]));
  if (all.size === 0) return new Set();
  const subjects = new Map([...all].map(([id, { game, ...place }]) => [id, { game, round: roundText(place) }]));
  const untold = await untoldOf(read, subjects);
  return new Set([...untold].map((id) => all.get(id)!.gameId));
}

/** Whether rounds of a game that a wrong clock had opened, and nobody bet on, are all told as closed. */
export async function areSkipsTold(read: Tx, game: { id: number; key: string }): Promise<boolean> {
  const skipped = await skippedRounds(read, game.id);
  const subjects = new Map(skipped.map(({ id, ...place }) => [id, { game: game.key, round: roundText(place) }]));
  return subjects.size === 0 || (await untoldOf(read, subjects)).size === 0;
}

/** Rounds that a wrong clock had opened, and nobody bet on, of one game or of all. */
function skippedRounds(read: Tx, gameId?: number): Promise<LoggedRound[]> {
  const isOfGame = gameId === undefined ? undefined : eq(rounds.gameId, gameId);
  const found = read
    .select({ id: rounds.id, gameId: rounds.gameId, day: rounds.day, number: rounds.number, game: games.key })
    .from(logRounds)
    .innerJoin(rounds, eq(rounds.id, logRounds.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(and(isOfGame, isNotNull(rounds.skippedAt)));
  // In this order, SQLite does not read all rounds for the few that the log still follows.
  return found.orderBy(asc(logRounds.roundId));
}
