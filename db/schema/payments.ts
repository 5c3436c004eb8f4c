import { at, index, int, money, ref, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import type { DepositStatus } from "#shared/contract/payments.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { members } from "./member.ts";

/** A top-up, from the order to the credit. */
export const deposits = table(
  "deposits",
  {
    id: rowId(),
    /** What the channel and the member know it by; cannot be guessed. */
    orderNo: text().notNull(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** The channel's code; `operator` when there was none. */
    channel: text().notNull(),
    amount: money().notNull(),
    status: text().$type<DepositStatus>().notNull(),
    reason: text(),
    locale: text().$type<LocaleCode>().notNull(),
    createdAt: at().notNull(),
    expiresAt: at().notNull(),
    paidAt: at(),
  },
  (t) => [
    uniqueIndex("deposits_order").on(t.orderNo),
    index("deposits_member").on(t.memberId, t.id),
    index("deposits_waiting").on(t.status, t.expiresAt),
  ],
);

/** The sandbox's own books: what was decided on its page, whether or not its notification has arrived. */
export const sandboxCheckouts = table("sandbox_checkouts", {
  orderNo: text().primaryKey(),
  amount: money().notNull(),
  state: text({ enum: ["open", "paid", "failed"] })
    .notNull()
    .default("open"),
});

/** Where a member's withdrawals go: bound once. The number itself is kept encrypted. */
export const bankAccounts = table("bank_accounts", {
  memberId: ref()
    .primaryKey()
    .references(() => members.id),
  bankCode: text().notNull(),
  /** The account number, sealed with a key that derives from the master key. */
  sealed: text().notNull(),
  /** Its last four digits, to be shown. */
  last4: text().notNull(),
  holder: text().notNull(),
  mobile: text().notNull(),
  createdAt: at().notNull(),
});

/** A withdrawal: held when it is asked for, then paid out or returned. */
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
