import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { getUserBankInfo } from "#shared/contract/withdrawals.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { bankName } from "./banks.ts";

/** Masks an account number: its owner recognises it by the last four characters. */
export const maskNumber = (last4: string): string => `**** ${last4}`;

/** A member's bank account as they may see it. */
export async function readBank(
  read: Tx,
  memberId: number,
  locale: LocaleCode,
): Promise<ReplyOf<typeof getUserBankInfo>> {
  const [bank] = await read.select().from(bankAccounts).where(eq(bankAccounts.memberId, memberId));
  if (!bank) return { is_bank: 0, info: null };
  const bankinfo = bankName(bank.bankCode, locale) ?? bank.bankCode;
  return { is_bank: 1, info: { bankinfo, bankid: maskNumber(bank.last4) } };
}

/** The name on a member's bank account; null without an account. */
export async function readHolder(read: Tx, memberId: number): Promise<string | null> {
  const [bank] = await read
    .select({ holder: bankAccounts.holder })
    .from(bankAccounts)
    .where(eq(bankAccounts.memberId, memberId));
  return bank?.holder ?? null;
}
