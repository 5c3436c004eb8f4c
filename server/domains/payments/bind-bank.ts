import type { Tx } from "#db/db.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { setRealName } from "#server/domains/account/real-name.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { bankName } from "./banks.ts";
import { sealNumber } from "./seal-number.ts";

interface BankAccount {
  number: string;
  bankCode: string;
  holder: string;
  mobile: string;
}

/**
 * Binds a member's bank account, once and for good. The holder must be the member; without a real name yet, the member
 * gets the holder's. The number is stored encrypted.
 */
export async function bindBank(
  tx: Tx,
  deps: Pick<Deps, "clock" | "keys" | "random">,
  memberId: number,
  { number, bankCode, holder, mobile }: BankAccount,
): Promise<void> {
  if (bankName(bankCode) === undefined) throw invalid({ bank_code: "bank" });
  const sealed = sealNumber(deps, memberId, number);
  const row = { memberId, bankCode, sealed, last4: number.slice(-4), holder, mobile, createdAt: deps.clock.now() };
  const [bound] = await tx.insert(bankAccounts).values(row).onConflictDoNothing().returning();
  if (!bound) throw new Refusal("bank.bound");
  await setRealName(tx, memberId, holder);
  const { payPinHash, realName } = await readMember(tx, memberId);
  if (payPinHash === null) throw new Refusal("passcode.missing");
  if (realName !== holder) throw new Refusal("name.mismatch");
}
