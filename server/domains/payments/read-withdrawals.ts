import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { withdrawals } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { WITHDRAW_STATUS } from "#shared/contract/withdrawals.ts";
import { localTexts, unpackText, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { recordNumber } from "#shared/record-number.ts";
import { Refusal } from "#shared/refusal.ts";
import { pageOf } from "#shared/paging.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";
import { withdrawalOfWireId, withdrawalWireId } from "./withdraw.ts";

export interface RecordsQuery {
  memberId: number;
  page?: number | undefined;
  limit?: number | undefined;
  /** A period in seconds: from the first on, and before the second. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only the one with this id. */
  id?: string | undefined;
}

/** A member's withdrawals, newest first. */
export async function readWithdrawals(
  read: Tx,
  { text }: Pick<Deps, "text">,
  query: RecordsQuery & { locale: LocaleCode },
) {
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select()
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.memberId, query.memberId),
        query.id === undefined ? undefined : eq(withdrawals.id, withdrawalOfWireId(query.id) ?? 0),
        query.from === undefined ? undefined : gte(withdrawals.createdAt, query.from * SECOND_MS),
        query.to === undefined ? undefined : lt(withdrawals.createdAt, query.to * SECOND_MS),
      ),
    )
    .orderBy(desc(withdrawals.id))
    .limit(limit)
    .offset(offset);
  if (query.id !== undefined && rows.length === 0) throw new Refusal("object.unknown");
  return rows.map(({ id, status, amount, reason, createdAt, updatedAt }) => ({
    id: withdrawalWireId(id),
    number: recordNumber("withdrawal", id),
    status: WITHDRAW_STATUS[status],
    status_text: text(query.locale, `withdraw.${status}`),
    money: toDecimal(amount),
    ...localTexts({ desc: unpackText(reason ?? "") }, query.locale),
    create_time: toSeconds(createdAt),
    update_time: toSeconds(updatedAt),
  }));
}
