import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { withdrawals } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { WITHDRAW_STATUS } from "#shared/contract/withdrawals.ts";
import { readPacked, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import { withdrawalWireId } from "./withdraw.ts";

/** A member's withdrawals, newest first. */
export async function readWithdrawals(
  read: Tx,
  { text }: Pick<Deps, "text">,
  query: { memberId: number; locale: LocaleCode; page?: number | undefined; limit?: number | undefined },
) {
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.memberId, query.memberId))
    .orderBy(desc(withdrawals.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ id, status, amount, reason, createdAt, updatedAt }) => ({
    id: withdrawalWireId(id),
    status: WITHDRAW_STATUS[status],
    status_text: text(query.locale, `withdraw.${status}`),
    money: toDecimal(amount),
    desc: readPacked(reason ?? "", query.locale),
    create_time: toSeconds(createdAt),
    update_time: toSeconds(updatedAt),
  }));
}
