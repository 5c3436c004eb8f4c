import { asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { games, pauses } from "#db/schema/lottery.ts";
import { localTexts, type LocaleCode } from "#shared/locales.ts";
import type { CurrentPause, PauseChange } from "#shared/lottery/pauses.ts";
import { ordinalOf, roundText, type Timetable } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";

type Row = typeof pauses.$inferSelect;
type PauseRow = Row & PauseChange;

/** A game's pauses in the order in which they were announced. There are few. */
export async function readPauses(read: Tx, game: Pick<Game, "id"> & Timetable): Promise<PauseRow[]> {
  return pausesOf(game, await ofGame(read).execute({ game: game.id }));
}

/** A game's pauses among those of several. */
export const pausesOf = (game: Pick<Game, "id"> & Timetable, rows: readonly Row[]): PauseRow[] =>
  rows
    .filter(({ gameId }) => gameId === game.id)
    .map((row) => ({ ...row, from: ordinalOf(game, { day: row.fromDay, number: row.fromNumber }) }));

const ofGame = prepared((read) =>
  pauseRows(read)
    .where(eq(pauses.gameId, placeholder("game")))
    .prepare(),
);

/** The pauses of all games, and those of one by its key. */
export const allPauses = prepared((read) => pauseRows(read).prepare());
export const pausesByKey = prepared((read) => {
  const wanted = read
    .select({ id: games.id })
    .from(games)
    .where(eq(games.key, placeholder("key")));
  return pauseRows(read).where(inArray(pauses.gameId, wanted)).prepare();
});

const pauseRows = (read: Tx) => read.select().from(pauses).orderBy(asc(pauses.id)).$dynamic();

/** All that was ever announced about a game's pauses, in order. */
export async function listPauses(read: Tx, game: Game, locale: LocaleCode) {
  return (await readPauses(read, game)).map(({ fromDay, fromNumber, paused, reason, announcedAt }) => ({
    from: roundText({ day: fromDay, number: fromNumber }),
    paused,
    ...(reason === null ? { reason } : localTexts({ reason }, locale)),
    announced: announcedAt,
  }));
}

/** A pause on the wire: the first round that is not opened, and the first that is opened again. */
export const pauseView = (pause: CurrentPause | null) =>
  pause && { from: roundText(pause.from), until: pause.until && roundText(pause.until) };
