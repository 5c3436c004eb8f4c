import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/deps.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";

/** A member's top-ups, newest first. */
export async function readDeposits(
  read: Tx,
  { text }: Pick<Deps, "text">,
  query: { memberId: number; locale: LocaleCode; page?: number | undefined; limit?: number | undefined },
) {
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select()
    .from(deposits)
    .where(eq(deposits.memberId, query.memberId))
    .orderBy(desc(deposits.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ orderNo, status, amount, channel, reason, createdAt, paidAt }) => ({
    id: orderNo,
    status: RECHARGE_STATUS[status],
    status_text: text(query.locale, `deposit.${status}`),
    money: toDecimal(amount),
    desc: reason ?? (channel === "operator" ? "" : text(query.locale, `channel.${channel}`)),
    create_time: toSeconds(createdAt),
    pay_time: paidAt === null ? 0 : toSeconds(paidAt),
  }));
}
