import { getTableColumns } from "drizzle-orm";
import { at, int, money, primaryKey, ref, rowId, sql, table, text, wide } from "#db/columns.ts";

/**
 * A bet, which is itself the debit entry of its stake. Append-only, found by
 * row number alone: an index here would cost more than all the rest of a bet.
 */
export const bets = table("bets", {
  id: rowId(),
  memberId: ref().notNull(),
  roundId: ref().notNull(),
  oddsId: ref().notNull(),
  /** The chosen options, one bit each (shared/lottery/rules.ts): up to 63, more than a number counts. */
  mask: wide().notNull(),
  /** On each option. */
  stake: money().notNull(),
  total: money().notNull(),
  /** The wallet after it. */
  version: int().notNull(),
  balanceAfter: money().notNull(),
  createdAt: at().notNull(),
});

/** A bet's mask, read exactly whatever it holds: the column itself can be read only where it is small. */
export const exactMask = sql<bigint>`cast(${bets.mask} as text)`.mapWith(BigInt);

/** All columns of a bet. */
export const betColumns = { ...getTableColumns(bets), mask: exactMask };

const keyed = () => ({
  memberId: ref().notNull(),
  key: text().notNull(),
  betId: ref().notNull(),
  requestHash: text().notNull(),
});

/**
 * The key under which a member placed a bet, or one of ours where none was
 * given: gives idempotency, and finds the bets that are not indexed yet. Only
 * those are here, so the table stays small, however long the history is.
 */
export const betKeys = table("bet_keys", keyed(), (t) => [primaryKey({ columns: [t.memberId, t.key] })]);

/** The given keys of bets that are indexed, so that a late retry is still the same bet. Pruned after a day. */
export const spentKeys = table("spent_keys", keyed(), (t) => [primaryKey({ columns: [t.memberId, t.key] })]);

/** What a member won in a round: one credit for all their bets. The key makes a second one impossible. */
export const payouts = table(
  "payouts",
  {
    roundId: ref().notNull(),
    memberId: ref().notNull(),
    amount: money().notNull(),
    version: int().notNull(),
    balanceAfter: money().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [primaryKey({ columns: [t.roundId, t.memberId] })],
);
