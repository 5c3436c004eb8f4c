import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import { formatMoney } from "#shared/format.ts";
import { readPacked, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import type { Deposit } from "./order-deposit.ts";
import { readSurpluses } from "./surplus.ts";

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
  const surpluses = await readSurpluses(read, rows);
  const descOf = ({ id, channel, reason, unit }: Deposit): string => {
    const ownDesc = channel === "operator" ? "" : text(query.locale, `channel.${channel}`);
    const desc = reason === null ? ownDesc : readPacked(reason, query.locale);
    const found = surpluses.get(id);
    if (!found) return desc;
    const key = found.returned < found.surplus ? "deposit.surplus" : "deposit.surplusReturned";
    return `${desc} · ${text(query.locale, key, { money: formatMoney(found.surplus, unit, query.locale) })}`;
  };
  return rows.map((row) => ({
    id: row.orderNo,
    status: RECHARGE_STATUS[row.status],
    status_text: text(query.locale, `deposit.${row.status}`),
    money: toDecimal(row.amount),
    desc: descOf(row),
    create_time: toSeconds(row.createdAt),
    pay_time: row.paidAt === null ? 0 : toSeconds(row.paidAt),
  }));
}
