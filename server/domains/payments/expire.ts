import { and, eq, lte } from "drizzle-orm";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/deps.ts";
import { applyNews } from "./apply-news.ts";
import type { Channel } from "./channel.ts";

/** Ends orders whose time is over, after asking their channel whether they were paid after all. */
export async function expireDeposits(deps: Deps, channels: ReadonlyMap<string, Channel>): Promise<void> {
  const late = await deps.db.read
    .select({ orderNo: deposits.orderNo, amount: deposits.amount, channel: deposits.channel })
    .from(deposits)
    .where(and(eq(deposits.status, "waiting"), lte(deposits.expiresAt, deps.clock.now())))
    .limit(50);
  for (const { orderNo, amount, channel } of late) {
    try {
      const news = await channels.get(channel)?.query(orderNo);
      await deps.db.transact((tx) => applyNews(tx, deps, news ?? { orderNo, amount, status: "failed" }));
    } catch (error) {
      // One that cannot be ended must not keep the others.
      deps.log.error({ err: error, orderNo }, "an order could not be ended");
    }
  }
}
