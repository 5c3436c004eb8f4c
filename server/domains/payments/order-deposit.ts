import type { Tx } from "#db/connect.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/deps.ts";
import { countDeposit } from "#server/domains/ledger/count-deposit.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Channel } from "./channel.ts";
import { newOrderNo } from "./order-number.ts";

const EXPIRES_AFTER_MS = 30 * MINUTE_MS;

/** Orders a top-up and returns where to pay. It counts towards the member's limits now, paid or not. */
export async function orderDeposit(
  tx: Tx,
  deps: Deps,
  channels: ReadonlyMap<string, Channel>,
  order: { memberId: number; channel: string; amount: Money; locale: LocaleCode },
): Promise<{ payUrl: string; orderNo: string }> {
  const { memberId, amount, locale } = order;
  const channel = deps.settings.channels().includes(order.channel) ? channels.get(order.channel) : undefined;
  if (!channel) throw invalid({ pay_way: "payWay" });
  if (deps.settings.get("close_recharge") === 1) throw new Refusal("recharge.closed");
  const now = deps.clock.now();
  await countDeposit(tx, memberId, amount, now);
  const orderNo = newOrderNo(deps);
  const timing = { createdAt: now, expiresAt: now + EXPIRES_AFTER_MS };
  await tx
    .insert(deposits)
    .values({ orderNo, memberId, channel: channel.code, amount, locale, status: "waiting", ...timing });
  return { orderNo, payUrl: await channel.checkout(tx, { orderNo, amount, locale }) };
}
