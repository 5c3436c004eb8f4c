import { at, bool, check, index, int, json, money, primaryKey, ref, rowId, sql, table } from "#db/columns.ts";
import { text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";

/** A game with rounds by the clock. Its period never changes. */
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
    /** When it was last paused; tells why rounds are missing. */
    pausedAt: at(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("games_key").on(t.key)],
);

/** Odds in 1/1000 by option, never changed: new odds are a new row, used by rounds that open after it. */
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

/** A round that was opened. Its columns are filled from left to right and never change after. */
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
    /** The fence: written once, and no bet is taken after it. */
    closedAt: at(),
    /** All bets of the round are in fromBet..toBet, among those of other games. */
    fromBet: ref().notNull(),
    toBet: ref(),
    beacon: text().notNull().default(""),
    seed: text(),
    dice: json<number[]>(),
    drawnAt: at(),
    /** Members up to this one have been settled; they are taken in order. */
    settledTo: ref().notNull().default(0),
    settledAt: at(),
    betCount: int().notNull().default(0),
    staked: money().notNull().default(0),
    paid: money().notNull().default(0),
    /** Its bets and payouts are in the journal index. */
    indexedAt: at(),
    /** It failed a check, and which: nothing is done with it until `round:retry`. */
    failedAt: at(),
    failure: text(),
    /** Nobody bet on it and its time never came, because the clock had been ahead: it is closed, part of a gap, and never drawn. */
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
    /** It was written while the clock was ahead and names rounds whose time is still to come: it no longer counts. */
    takenBackAt: at(),
  },
  (t) => [index("gaps_game").on(t.gameId)],
);
