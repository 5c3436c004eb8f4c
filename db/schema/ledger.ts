import {
  at,
  bool,
  check,
  index,
  int,
  json,
  money,
  primaryKey,
  ref,
  rowId,
  sql,
  table,
  text,
  uniqueIndex,
} from "#db/columns.ts";
import { members } from "./member.ts";

/**
 * A member's money and everything that guards it, in one row: one conditional UPDATE decides. `version` counts the
 * changes of the balance without a gap.
 */
export const wallets = table(
  "wallets",
  {
    memberId: ref()
      .primaryKey()
      .references(() => members.id),
    balance: money().notNull().default(0),
    version: int().notNull().default(0),
    /** The member is locked: no bet, spin or purchase. */
    frozen: bool().notNull().default(false),
    excludedUntil: at().notNull().default(0),
    remindMinutes: int(),
    limitStakeDay: money(),
    limitStakeWeek: money(),
    limitStakeMonth: money(),
    limitLossDay: money(),
    limitLossWeek: money(),
    limitLossMonth: money(),
    limitDepositDay: money(),
    limitDepositWeek: money(),
    limitDepositMonth: money(),
    /** The UTC day, week and month (shared/time.ts) that the counters below belong to. */
    day: int().notNull().default(0),
    week: int().notNull().default(0),
    month: int().notNull().default(0),
    stakedDay: money().notNull().default(0),
    stakedWeek: money().notNull().default(0),
    stakedMonth: money().notNull().default(0),
    wonDay: money().notNull().default(0),
    wonWeek: money().notNull().default(0),
    wonMonth: money().notNull().default(0),
    depositedDay: money().notNull().default(0),
    depositedWeek: money().notNull().default(0),
    depositedMonth: money().notNull().default(0),
    stakedTotal: money().notNull().default(0),
    wonTotal: money().notNull().default(0),
    depositedTotal: money().notNull().default(0),
    withdrawnTotal: money().notNull().default(0),
  },
  (t) => [check("wallets_balance", sql`${t.balance} between 0 and 9000000000000000`)],
);

/**
 * A transfer of one amount from one account to another. Bets and payouts have tables of their own. Accounts are
 * `member:ID`, `house:NAME` or `held:NAME`.
 */
export const transfers = table(
  "transfers",
  {
    id: rowId(),
    code: text().notNull(),
    /** What caused it: with `code` its idempotency key, so a retry moves nothing. */
    cause: text().notNull(),
    debit: text().notNull(),
    credit: text().notNull(),
    amount: money().notNull(),
    /** The member whose wallet it changed, and the wallet after it. */
    memberId: ref().references(() => members.id),
    version: int(),
    balanceAfter: money(),
    reason: text(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("transfers_once").on(t.code, t.cause), check("transfers_amount", sql`${t.amount} > 0`)],
);

/**
 * The house's side of bets and payouts: one row for each commit, with the range of rows that it sums. The seals cover
 * commits in this order.
 */
export const houseEntries = table(
  "house_entries",
  {
    id: rowId(),
    kind: text({ enum: ["bets", "payouts"] }).notNull(),
    /** What the house's balance gained; negative for payouts. */
    amount: money().notNull(),
    /** Bets: row numbers from..to. Payouts: members from..to of the round. */
    roundId: ref(),
    fromId: ref().notNull(),
    toId: ref().notNull(),
    createdAt: at().notNull(),
  },
  // Finds the commit of a bet.
  (t) => [
    index("house_entries_bets")
      .on(t.fromId)
      .where(sql`${t.kind} = 'bets'`),
  ],
);

/** Entries of bets, spelled as the condition of their index: a plan that is made without the values can use it, too. */
export const isOfBets = sql`${houseEntries.kind} = 'bets'`;

/**
 * An index of a member's rows by wallet version. It can be rebuilt and is no part of the ledger. Bets and payouts are
 * added in bulk after their round is settled.
 */
export const journalIndex = table(
  "journal_index",
  {
    memberId: ref().notNull(),
    version: int().notNull(),
    kind: text({ enum: ["bet", "payout", "transfer"] }).notNull(),
    /** The row number of the bet or transfer; for a payout, of its round. */
    rowId: ref().notNull(),
  },
  (t) => [primaryKey({ columns: [t.memberId, t.version] })],
);

/** An operator's act under a seal. `leaf`: hex. */
export type SealedAct = [id: number, leaf: string];

/** seal = SHA-256(previous seal + Merkle root of what was committed since), hex. */
export const seals = table("seals", {
  id: rowId(),
  houseTo: ref().notNull(),
  transfersTo: ref().notNull(),
  /** Null in seals of a release that left out the acts of operators. */
  actsTo: ref(),
  /** The acts that it covers and the hashes of their leaves, so that one which was changed or dropped has a name. */
  acts: json<SealedAct[]>(),
  root: text().notNull(),
  seal: text().notNull(),
  createdAt: at().notNull(),
});

/** The answer to a request with an idempotency key, so that a retry gets it again and does nothing. */
export const replays = table(
  "replays",
  {
    memberId: ref().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    requestHash: text().notNull(),
    answer: text().notNull(),
    createdAt: at().notNull(),
  },
  // The second one finds what is deleted.
  (t) => [primaryKey({ columns: [t.memberId, t.path, t.key] }), index("replays_created").on(t.createdAt)],
);
