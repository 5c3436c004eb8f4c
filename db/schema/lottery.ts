import { at, bool, check, index, int, json, money, primaryKey, ref, rowId, sql, table } from "#db/columns.ts";
import { text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";
import { GAP_REASONS } from "#shared/lottery/pauses.ts";

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
    /** What bets at them are in: rounds keep it, whatever becomes of the setting. */
    unit: text().notNull().default("point"),
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
    /** Where the beacon comes from, as `none` or `drand:CHAIN:ROUND`. Written at the opening. */
    beaconRule: text().notNull().default("none"),
    /** What the rule gives, written with the draw. Under `none` it is empty, before and after. */
    beacon: text().notNull().default(""),
    seed: text(),
    dice: json<number[]>(),
    drawnAt: at(),
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
    /** The signature that the beacon is made from. */
    beaconSignature: text().notNull().default(""),
    /** Its beacon lies too far ahead: it is never drawn, and settling returns all stakes. */
    refundedAt: at(),
  },
  (t) => [
    uniqueIndex("rounds_place").on(t.gameId, t.day, t.number),
    index("rounds_unfinished")
      .on(t.gameId, t.id)
      .where(sql`${t.indexedAt} is null`),
    check("rounds_beacon", sql`${t.beaconRule} <> 'none' or ${t.beacon} = ''`),
    check(
      "rounds_beacon_signature",
      sql`case when ${t.beacon} = '' then ${t.beaconSignature} = '' and (${t.beaconRule} = 'none' or ${t.drawnAt} is null) else length(${t.beacon}) = 64 and length(${t.beaconSignature}) = 96 and ${t.drawnAt} is not null end`,
    ),
    check(
      "rounds_refunded",
      sql`${t.refundedAt} is null or (${t.closedAt} is not null and ${t.drawnAt} is null and ${t.beaconRule} <> 'none')`,
    ),
    check("rounds_order", sql`${t.drawnAt} is null or ${t.closedAt} is not null`),
  ],
);

/**
 * The members who bet on a round, in ranges that are worked through side by side: from the moment the round has been
 * counted and checked until it is indexed. Together the ranges of a round hold every id, and none twice.
 */
export const settleRanges = table(
  "settle_ranges",
  {
    roundId: ref()
      .notNull()
      .references(() => rounds.id),
    fromId: ref().notNull(),
    toId: ref().notNull(),
    /** Members of the range up to this id are settled; they are settled in order. */
    settledTo: ref().notNull(),
    /** The same for their rows in the journal index. */
    indexedTo: ref().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.roundId, t.fromId] }),
    check("settle_ranges_settled", sql`${t.settledTo} between ${t.fromId} - 1 and ${t.toId}`),
    check("settle_ranges_indexed", sql`${t.indexedTo} between ${t.fromId} - 1 and ${t.toId}`),
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
    reason: text({ enum: GAP_REASONS }).notNull(),
    createdAt: at().notNull(),
    /** The clock was ahead when it was written, so the rounds it names are still to come. It no longer counts. */
    takenBackAt: at(),
  },
  (t) => [index("gaps_game").on(t.gameId)],
);

/** What an announcement about a game has: the first round on which it acts. */
const actingFrom = () => ({
  id: rowId(),
  gameId: ref()
    .notNull()
    .references(() => games.id),
  fromDay: int().notNull(),
  fromNumber: int().notNull(),
});

/**
 * Announcements that a game pauses, or opens again, from a round on. Rows are only ever added. Of those whose round has
 * come, the last one holds.
 */
export const pauses = table(
  "pauses",
  {
    ...actingFrom(),
    paused: bool().notNull(),
    reason: json<LocalText>(),
    /** Null for a pause from before pauses were announced. */
    announcedAt: at(),
  },
  (t) => [index("pauses_game").on(t.gameId)],
);

/**
 * Announcements that a game's rounds take another beacon from a round on. Rows are only ever added. Of those whose round
 * has come, the last one holds; before the first, none is taken.
 */
export const beaconChanges = table(
  "beacon_changes",
  {
    ...actingFrom(),
    /** `none` or `drand:CHAIN`. */
    mode: text().notNull(),
    announcedAt: at().notNull(),
  },
  (t) => [index("beacon_changes_game").on(t.gameId)],
);

/**
 * The highest place of a game's day whose commit or seed was ever shown. All earlier seeds of the day follow from it, so
 * no place up to it is opened. A row only grows.
 */
export const shownPlaces = table(
  "shown_places",
  {
    gameId: ref()
      .notNull()
      .references(() => games.id),
    day: int().notNull(),
    number: int().notNull(),
    /** The seed of that place, if the end of a gap made it public. */
    seed: text(),
  },
  (t) => [primaryKey({ columns: [t.gameId, t.day] })],
);
