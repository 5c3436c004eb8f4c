import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments } from "#db/schema/listing.ts";
import { transfers } from "#db/schema/ledger.ts";
import { deposits, withdrawals } from "#db/schema/payments.ts";
import { findMember } from "#server/domains/account/find-member.ts";
import { namedBy } from "#server/domains/ledger/act-seals.ts";
import { withdrawalOfWireId } from "#server/domains/payments/withdraw.ts";
import { rowOfNumber } from "#shared/record-number.ts";
import type { CommandInput } from "./command.ts";

type Row = { memberId: number | null } | undefined;
type Find = (read: Tx, word: string) => Promise<Row>;

const ofComment: Find = async (read, word) => {
  const id = Number(/^cmt_([1-9]\d{0,14})$/.exec(word)?.[1] ?? 0);
  return (await read.select({ memberId: comments.memberId }).from(comments).where(eq(comments.id, id)))[0];
};

const ofTransfer: Find = async (read, word) => {
  const id = Number(/^trf_(\d{1,15})$/.exec(word)?.[1] ?? 0);
  return (await read.select({ memberId: transfers.memberId }).from(transfers).where(eq(transfers.id, id)))[0];
};

const ofWithdrawal: Find = async (read, word) => {
  const id = withdrawalOfWireId(word) ?? 0;
  return (await read.select({ memberId: withdrawals.memberId }).from(withdrawals).where(eq(withdrawals.id, id)))[0];
};

const ofDeposit: Find = async (read, word) => {
  const row = rowOfNumber("deposit", word);
  const isIt = row === undefined ? eq(deposits.orderNo, word) : eq(deposits.id, row);
  return (await read.select({ memberId: deposits.memberId }).from(deposits).where(isIt))[0];
};

/** Commands that name what is a member's, and not the member. */
export const BY_WHAT_IS_THEIRS: Readonly<Record<string, Find>> = {
  "comment:hide": ofComment,
  "comment:show": ofComment,
  "member:reverse": ofTransfer,
  "recharge:review": ofDeposit,
  "withdraw:account": ofWithdrawal,
  "withdraw:approve": ofWithdrawal,
  "withdraw:pay": ofWithdrawal,
  "withdraw:reject": ofWithdrawal,
};

/** The member whom a command concerns; null for nobody, and for somebody who is no member yet. */
export async function memberConcerned(read: Tx, name: string, { args, options }: CommandInput): Promise<number | null> {
  const username = namedBy(name, Object.values(args).join(" "));
  if (username !== null) return (await findMember(read, username))?.id ?? null;
  const find = BY_WHAT_IS_THEIRS[name];
  if (!find) return null;
  const { reason: _why, ...others } = options;
  for (const word of [...Object.values(args), ...Object.values(others)]) {
    const row = word === undefined ? undefined : await find(read, word);
    if (row) return row.memberId;
  }
  return null;
}
