import { at, bool, index, int, json, money, ref, rowId, sql, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Winnable } from "#shared/wheel.ts";
import { members } from "./member.ts";

/** A prize on the wheel. One that is no longer offered stays, for the members who won it. */
export const prizes = table("prizes", {
  id: text().primaryKey(),
  title: json<LocalText>().notNull(),
  /** HTML, sanitised when it was set. */
  memo: json<LocalText>().notNull(),
  image: text().notNull(),
  kind: text({ enum: ["points", "days", "spin", "thanks"] }).notNull(),
  /** Points in 1/100 unit; days or further spins as they are; 0 for thanks. */
  amount: money().notNull(),
  weight: int().notNull(),
  /** How many are left; null for unlimited. */
  stock: int(),
  position: int().notNull(),
  offered: bool().notNull().default(true),
});

/** A prize as it was on the wheel, whatever the operator changes later. The oldest tables lack `kind` and `amount`. */
export interface TablePrize extends Winnable {
  title: LocalText;
  image: string;
}

/** The chances at one time, without prizes that had run out. The newest row is in force. */
export const wheelTables = table("wheel_tables", {
  id: rowId(),
  prizes: json<TablePrize[]>().notNull(),
  createdAt: at().notNull(),
});

/**
 * A member's seed, derived from the master key, and the words that it is drawn with. The row begins as the commit alone:
 * the next pair. Words and table come later, together. A pair with words is open until its seed is public.
 */
export const wheelPairs = table(
  "wheel_pairs",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** Counts this member's pairs, from 0. */
    number: int().notNull(),
    /** The log in whose name the seed was derived. Null for pairs from the time when it was derived without. */
    origin: text(),
    /** SHA-256 of the seed, hex. */
    commit: text().notNull(),
    words: text(),
    /** Who chose the words. Null before, and for pairs from the time when the words came first. */
    wordsBy: text({ enum: ["member", "house"] }),
    /** What every spin of the pair is drawn from. */
    tableId: ref().references(() => wheelTables.id),
    /** The hash of what could be won then. */
    tableHash: text(),
    /** Spins so far. */
    nonce: int().notNull().default(0),
    createdAt: at().notNull(),
    /** When the seed became public. */
    revealedAt: at(),
  },
  (t) => [
    uniqueIndex("wheel_pairs_member").on(t.memberId, t.number),
    uniqueIndex("wheel_pairs_next")
      .on(t.memberId)
      .where(sql`${t.words} is null`),
    uniqueIndex("wheel_pairs_open")
      .on(t.memberId)
      .where(sql`${t.words} is not null and ${t.revealedAt} is null`),
  ],
);

/** How many spins a member had on a UTC day, and how many further ones they won. */
export const wheelMembers = table("wheel_members", {
  memberId: ref()
    .primaryKey()
    .references(() => members.id),
  day: int().notNull(),
  used: int().notNull().default(0),
  extra: int().notNull().default(0),
});

export const spins = table(
  "spins",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    pairId: ref()
      .notNull()
      .references(() => wheelPairs.id),
    nonce: int().notNull(),
    tableId: ref()
      .notNull()
      .references(() => wheelTables.id),
    prizeId: text()
      .notNull()
      .references(() => prizes.id),
    /** What was won, as the prize was then. */
    kind: text({ enum: ["points", "days", "spin", "thanks"] }).notNull(),
    amount: money().notNull(),
    /** What the spin itself cost; 0 for a free one. */
    price: money().notNull(),
    /** False for `thanks`. */
    won: bool().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [
    uniqueIndex("spins_nonce").on(t.pairId, t.nonce),
    index("spins_member").on(t.memberId, t.id),
    index("spins_won").on(t.won, t.id),
  ],
);
