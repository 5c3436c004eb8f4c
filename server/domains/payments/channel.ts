import type { Tx } from "#db/connect.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";

/** What a channel says of an order, in a notification or when asked. */
export interface PaymentNews {
  orderNo: string;
  amount: Money;
  status: "paid" | "failed";
}

export interface Checkout {
  orderNo: string;
  amount: Money;
  locale: LocaleCode;
}

/**
 * A way to pay. A new one is an adapter with these three promises, its name
 * `channel.<code>` in the locales, and a line in `channels.ts`.
 */
export interface Channel {
  code: string;
  /** Prepares a hosted page, in the order's own transaction, and returns its absolute address. */
  checkout(tx: Tx, order: Checkout): Promise<string>;
  /** Reads a notification. Refuses one that is not signed by the channel, or stale. */
  verify(rawBody: string, signature: string | undefined): PaymentNews;
  /** What became of an order, for when its notification did not come; null while it is open. */
  query(orderNo: string): Promise<PaymentNews | null>;
}
