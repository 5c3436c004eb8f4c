import { asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { beaconChanges, games } from "#db/schema/lottery.ts";
import type { BeaconChange } from "#shared/lottery/beacon.ts";
import { ordinalOf, roundText, type Timetable } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";

type Row = typeof beaconChanges.$inferSelect;
type ChangeRow = Row & BeaconChange;

/** A game's changes of beacon in the order in which they were announced. There are few. */
export async function readBeaconChanges(read: Tx, game: Pick<Game, "id"> & Timetable): Promise<ChangeRow[]> {
  return beaconChangesOf(game, await ofGame(read).execute({ game: game.id }));
}

/** A game's changes among those of several. */
export const beaconChangesOf = (game: Pick<Game, "id"> & Timetable, rows: readonly Row[]): ChangeRow[] =>
  rows
    .filter(({ gameId }) => gameId === game.id)
    .map((row) => ({ ...row, from: ordinalOf(game, { day: row.fromDay, number: row.fromNumber }) }));

const ofGame = prepared((read) =>
  changeRows(read)
    .where(eq(beaconChanges.gameId, placeholder("game")))
    .prepare(),
);

/** The changes of all games, and those of one by its key. */
export const allBeaconChanges = prepared((read) => changeRows(read).prepare());
export const beaconChangesByKey = prepared((read) => {
  const wanted = read
    .select({ id: games.id })
    .from(games)
    .where(eq(games.key, placeholder("key")));
  return changeRows(read).where(inArray(beaconChanges.gameId, wanted)).prepare();
});

const changeRows = (read: Tx) => read.select().from(beaconChanges).orderBy(asc(beaconChanges.id)).$dynamic();

/** All that was ever announced about a game's beacon, in order. */
export async function listBeaconChanges(read: Tx, game: Game) {
  return (await readBeaconChanges(read, game)).map(({ fromDay, fromNumber, mode, announcedAt }) => ({
    game: game.key,
    mode,
    from: roundText({ day: fromDay, number: fromNumber }),
    at: announcedAt,
  }));
}
