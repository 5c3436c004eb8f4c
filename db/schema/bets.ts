import { getTableColumns } from "drizzle-orm";
import { at, int, money, primaryKey, ref, rowId, sql, table, text, wide } from "#db/columns.ts";

/**
 * A bet, which is itself the debit entry of its stake. Append-only. It is found by row number alone: an index here would
 * cost more than the rest of a bet.
 */
export const bets = table("bets", {
  id: rowId(),
  memberId: ref().notNull(),
  roundId: ref().notNull(),
  oddsId: ref().notNull(),
  /** The chosen options, one bit each (shared/lottery/rules.ts): up to 63 bits, beyond safe integers. */
  mask: wide().notNull(),
  /** On each option. */
  stake: money().notNull(),
  total: money().notNull(),
  /** The wallet after the bet. */
  version: int().notNull(),
  balanceAfter: money().notNull(),
  createdAt: at().notNull(),
});

/** A bet's mask, read exactly. Reading the column itself throws beyond safe integers. */
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
 * A bet's idempotency key: the member's, or a generated one. It also finds the bets that are not indexed yet. Only those
 * are here, so the table stays small however long the history is.
 */
export const betKeys = table("bet_keys", keyed(), (t) => [primaryKey({ columns: [t.memberId, t.key] })]);

/** The members' keys of indexed bets, so that a late retry is still the same bet. Pruned after a day. */
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
