import type { Tx } from "#db/db.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { startCooling } from "#server/domains/account/cooling.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { readPasskeys } from "#server/domains/account/read-passkeys.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { sealNumber } from "#server/domains/account/seal-number.ts";
import { setRealName } from "#server/domains/account/real-name.ts";
import { isSameName } from "#shared/names.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { bankName } from "./banks.ts";
import { maskNumber } from "./read-bank.ts";
import { stateBank, wasUnbound } from "./state-withdrawal.ts";

interface BankAccount {
  number: string;
  bankCode: string;
  holder: string;
  mobile: string;
}

/**
 * Binds a member's bank account, once: only an operator unbinds it. The holder must be the member, by the name as banks
 * print it; without a real name yet, the member gets the holder's. The number is stored encrypted.
 */
export async function bindBank(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock" | "keys" | "random" | "settings">,
  memberId: number,
  { number, bankCode, holder, mobile }: BankAccount,
): Promise<void> {
  const bank = bankName(bankCode);
  if (bank === undefined) throw invalid({ bank_code: "bank" });
  const sealed = sealNumber(deps, memberId, number);
  const row = { memberId, bankCode, sealed, last4: number.slice(-4), holder, mobile, createdAt: deps.clock.now() };
  const [bound] = await tx.insert(bankAccounts).values(row).onConflictDoNothing().returning();
  if (!bound) throw new Refusal("bank.bound");
  await setRealName(tx, memberId, holder);
  const { payPinHash, realName } = await readMember(tx, memberId);
  // Withdrawals are confirmed with one or the other.
  if (payPinHash === null && (await readPasskeys(tx, memberId)).length === 0) throw new Refusal("passcode.missing");
  if (realName === null || !isSameName(realName, holder)) throw new Refusal("name.mismatch");
  // A first account cools nothing down; one in the place of another does.
  if (await wasUnbound(tx, memberId)) await startCooling(tx, deps, memberId);
  await tellSecurity(tx, deps, memberId, "bankLinked", { bank, number: maskNumber(row.last4) });
  await stateBank(tx, deps, memberId, { ...row, number });
}
