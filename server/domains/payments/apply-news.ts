import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/deps.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { Refusal } from "#shared/refusal.ts";
import type { PaymentNews } from "./channel.ts";

/**
 * Applies what a channel said of an order, once however often it is said. A
 * payment that comes after the order failed or expired is still a payment.
 */
export async function applyNews(tx: Tx, deps: Pick<Deps, "clock" | "announce">, news: PaymentNews): Promise<void> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.orderNo, news.orderNo));
  if (!deposit) throw new Refusal("object.unknown");
  if (deposit.amount !== news.amount) throw new Refusal("payment.mismatch");
  const { id, memberId, amount, orderNo } = deposit;
  const { status } = news;
  const before = status === "paid" ? (["waiting", "failed"] as const) : (["waiting"] as const);
  const [changed] = await tx
    .update(deposits)
    .set({ status, paidAt: status === "paid" ? deps.clock.now() : null })
    .where(and(eq(deposits.id, id), inArray(deposits.status, before)))
    .returning({ id: deposits.id });
  if (!changed) return;
  if (status === "paid") {
    const totals = { depositedTotal: amount };
    await transfer(tx, deps, { code: "deposit", cause: orderNo, memberId, account: "house:channels", amount, totals });
  }
  await deps.announce(tx, "deposit.changed", { memberId, depositId: id, status });
}
