import { at, bool, check, index, int, json, money, primaryKey, ref, rowId, sql, table } from "#db/columns.ts";
import { text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";

/** A game whose rounds follow the clock. Its period never changes. */
export const games = table(
  "games",
  {
    id: rowId(),
    key: text().notNull(),
    kind: text().notNull(),
    name: json<LocalText>().notNull(),
    icon: text().notNull(),
    periodS: int().notNull(),
    closeS: int().notNull(),
    paused: bool().notNull().default(false),
    /** When it was last paused: explains missing rounds. */
    pausedAt: at(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("games_key").on(t.key)],
);

/** Odds in 1/1000 by option. Rows never change: new odds are a new row, for the rounds that open after it. */
export const odds = table(
  "odds",
  {
    id: rowId(),
    gameId: ref()
      .notNull()
      .references(() => games.id),
    milli: json<number[]>().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [index("odds_game").on(t.gameId)],
);

/** seed_0 of a day's chain, published days ahead and never changed. */
export const anchors = table(
  "anchors",
  {
    gameId: ref()
      .notNull()
      .references(() => games.id),
    day: int().notNull(),
    anchor: text().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [primaryKey({ columns: [t.gameId, t.day] })],
);

/** A round that was opened. Its columns are filled in this order, and then never change. */
export const rounds = table(
  "rounds",
  {
    id: rowId(),
    gameId: ref()
      .notNull()
      .references(() => games.id),
    day: int().notNull(),
    number: int().notNull(),
    commit: text().notNull(),
    oddsId: ref()
      .notNull()
      .references(() => odds.id),
    openedAt: at().notNull(),
    closesAt: at().notNull(),
    drawsAt: at().notNull(),
    /** The fence: written once. No bet is accepted after it. */
    closedAt: at(),
    /** All bets of the round are in fromBet..toBet, mixed with bets of other games. */
    fromBet: ref().notNull(),
    toBet: ref(),
    beacon: text().notNull().default(""),
    seed: text(),
    dice: json<number[]>(),
    drawnAt: at(),
    /** Members up to this id are settled; they are settled in order. */
    settledTo: ref().notNull().default(0),
    settledAt: at(),
    betCount: int().notNull().default(0),
    staked: money().notNull().default(0),
    paid: money().notNull().default(0),
    /** Its bets and payouts are in the journal index. */
    indexedAt: at(),
    /** It failed a check, and which one. It stays untouched until `round:retry`. */
    failedAt: at(),
    failure: text(),
    /** The clock had been ahead, so its time never came, and it has no bets. It is closed, part of a gap, and never drawn. */
    skippedAt: at(),
  },
  (t) => [
    uniqueIndex("rounds_place").on(t.gameId, t.day, t.number),
    index("rounds_unfinished")
      .on(t.gameId, t.id)
      .where(sql`${t.indexedAt} is null`),
    check("rounds_order", sql`${t.drawnAt} is null or ${t.closedAt} is not null`),
  ],
);

/** Rounds that were never played, as one record from..to. */
export const gaps = table(
  "gaps",
  {
    id: rowId(),
    gameId: ref()
      .notNull()
      .references(() => games.id),
    fromDay: int().notNull(),
    fromNumber: int().notNull(),
    toDay: int().notNull(),
    toNumber: int().notNull(),
    reason: text({ enum: ["paused", "down", "clock"] }).notNull(),
    createdAt: at().notNull(),
    /** The clock was ahead when it was written, so the rounds it names are still to come. It no longer counts. */
    takenBackAt: at(),
  },
  (t) => [index("gaps_game").on(t.gameId)],
);
