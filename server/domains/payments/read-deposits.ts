import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { amountText } from "#server/domains/ledger/unit.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import { DIVIDER } from "#shared/format.ts";
import { localTexts, namePacked, unpackText, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { recordNumber } from "#shared/record-number.ts";
import { Refusal } from "#shared/refusal.ts";
import { pageOf } from "#shared/paging.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";
import type { Deposit } from "./order-deposit.ts";
import type { RecordsQuery } from "./read-withdrawals.ts";
import { readSurpluses } from "./surplus.ts";

/** A member's top-ups, newest first. */
export async function readDeposits(
  read: Tx,
  { text }: Pick<Deps, "text">,
  query: RecordsQuery & { locale: LocaleCode },
) {
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select()
    .from(deposits)
    .where(wanted(query))
    .orderBy(desc(deposits.id))
    .limit(limit)
    .offset(offset);
  if (query.id !== undefined && rows.length === 0) throw new Refusal("object.unknown");
  const surpluses = await readSurpluses(read, rows);
  const descOf = ({ id, channel, reason, unit }: Deposit) => {
    const ownDesc = channel === "operator" ? "" : text(query.locale, `channel.${channel}`);
    const found = surpluses.get(id);
    if (!found) return localTexts({ desc: reason === null ? ownDesc : unpackText(reason) }, query.locale);
    const desc = reason === null ? ownDesc : namePacked(reason, query.locale);
    const key = found.left > 0 ? "deposit.surplus" : "deposit.surplusReturned";
    const money = amountText(text, found.left || found.returned, unit, query.locale);
    return { desc: `${desc}${DIVIDER}${text(query.locale, key, { money })}` };
  };
  return rows.map((row) => ({
    id: row.orderNo,
    number: recordNumber("deposit", row.id),
    status: RECHARGE_STATUS[row.status],
    status_text: text(query.locale, `deposit.${row.status}`),
    money: toDecimal(row.amount),
    ...descOf(row),
    create_time: toSeconds(row.createdAt),
    pay_time: row.paidAt === null ? 0 : toSeconds(row.paidAt),
  }));
}

const wanted = (query: RecordsQuery) =>
  and(
    eq(deposits.memberId, query.memberId),
    query.id === undefined ? undefined : eq(deposits.orderNo, query.id),
    query.from === undefined ? undefined : gte(deposits.createdAt, query.from * SECOND_MS),
    query.to === undefined ? undefined : lt(deposits.createdAt, query.to * SECOND_MS),
  );
