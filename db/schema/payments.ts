import { at, check, index, int, money, ref, rowId, sql, table, text, uniqueIndex } from "#db/columns.ts";
import type { DepositStatus, Opens } from "#shared/contract/payments.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { members } from "./member.ts";

/** A top-up, from the order to the credit. */
export const deposits = table(
  "deposits",
  {
    id: rowId(),
    /** The order number that the channel and the member see. It cannot be guessed. */
    orderNo: text().notNull(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** The channel's code; `operator` when there was none. */
    channel: text().notNull(),
    /** What the member gets. */
    amount: money().notNull(),
    /** What the member pays on top of the amount; it stays with the channel and is no part of the ledger. */
    fee: money().notNull().default(0),
    /** The unit that the order was made in. */
    unit: text().notNull().default("point"),
    status: text().$type<DepositStatus>().notNull(),
    reason: text(),
    locale: text().$type<LocaleCode>().notNull(),
    createdAt: at().notNull(),
    expiresAt: at().notNull(),
    paidAt: at(),
    /** Where the member pays: an address, or the text of a QR code. Null until the channel has answered. */
    page: text(),
    opens: text().$type<Opens>(),
    /** The channel's own number of the order. */
    reference: text(),
    /** The idempotency key of the order. For a day, a retry at any server continues the same order. */
    requestKey: text(),
    /** What the channel received, fee included, if the order was not credited at once, or if it was more. */
    received: money(),
    /** When the channel is next asked about the order. */
    askAt: at().notNull().default(0),
  },
  (t) => [
    uniqueIndex("deposits_order").on(t.orderNo),
    index("deposits_member").on(t.memberId, t.id),
    index("deposits_waiting").on(t.status, t.askAt),
    uniqueIndex("deposits_request").on(t.memberId, t.requestKey),
    // The few orders of which more or less came than was ordered.
    index("deposits_received")
      .on(t.id)
      .where(sql`${t.received} is not null`),
  ],
);

/** A payment that its channel took back, whole or in part: one row for each refund or dispute. */
export const paymentReturns = table(
  "payment_returns",
  {
    id: rowId(),
    depositId: ref()
      .notNull()
      .references(() => deposits.id),
    /** The channel's own number of the refund or dispute. */
    reference: text().notNull(),
    kind: text({ enum: ["refund", "dispute"] }).notNull(),
    /** What the channel took back. */
    amount: money().notNull(),
    /** The part that the member was credited and owes. Null while the payment itself is not credited. */
    due: money(),
    createdAt: at().notNull(),
    /** The channel gave it back: the dispute was won, or the refund failed. */
    endedAt: at(),
  },
  (t) => [
    uniqueIndex("payment_returns_once").on(t.depositId, t.reference),
    check("payment_returns_amount", sql`${t.amount} > 0 and (${t.due} is null or ${t.due} between 0 and ${t.amount})`),
  ],
);

/** What a member owes because the balance did not cover a returned payment. It blocks withdrawals. */
export const debts = table(
  "debts",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    returnId: ref()
      .notNull()
      .references(() => paymentReturns.id),
    amount: money().notNull(),
    paid: money().notNull().default(0),
    createdAt: at().notNull(),
    /** Paid, or no longer owed because the channel gave the payment back. */
    settledAt: at(),
  },
  (t) => [
    uniqueIndex("debts_return").on(t.returnId),
    index("debts_open").on(t.settledAt, t.memberId),
    check("debts_amount", sql`${t.amount} > 0 and ${t.paid} between 0 and ${t.amount}`),
  ],
);

/** How far a channel's payments have been reconciled with our orders. */
export const channelLooks = table("channel_looks", {
  channel: text().primaryKey(),
  lookedTo: at().notNull(),
  /** When the next comparison is due. */
  lookAt: at().notNull(),
});

/** The sandbox channel's own records: the decisions on its page, whether or not the notification has arrived. */
export const sandboxCheckouts = table("sandbox_checkouts", {
  orderNo: text().primaryKey(),
  amount: money().notNull(),
  state: text({ enum: ["open", "paid", "failed"] })
    .notNull()
    .default("open"),
});

/** Where a member's withdrawals go: set once. The account number is encrypted. */
export const bankAccounts = table("bank_accounts", {
  memberId: ref()
    .primaryKey()
    .references(() => members.id),
  bankCode: text().notNull(),
  /** The account number, encrypted with a key derived from the master key. */
  sealed: text().notNull(),
  /** Its last four digits, for display. */
  last4: text().notNull(),
  holder: text().notNull(),
  mobile: text().notNull(),
  createdAt: at().notNull(),
});

/** A withdrawal: held when it is requested, then paid out or returned. */
export const withdrawals = table(
  "withdrawals",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    amount: money().notNull(),
    status: text({ enum: ["review", "approved", "refused", "paid"] }).notNull(),
    /** Why it was refused; the member reads it. */
    reason: text(),
    /** The UTC day it counts towards (shared/time.ts). */
    day: int().notNull(),
    createdAt: at().notNull(),
    updatedAt: at().notNull(),
  },
  (t) => [index("withdrawals_member").on(t.memberId, t.id), index("withdrawals_status").on(t.status, t.id)],
);
