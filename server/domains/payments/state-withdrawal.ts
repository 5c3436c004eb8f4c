import { and, desc, eq, like } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { memberLeaves } from "#db/schema/log.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { addMemberLeaf } from "#server/domains/log/member-leaves.ts";
import type { WithdrawalStatus } from "#shared/contract/withdrawals.ts";
import { NO_LEAF_BEFORE } from "#shared/log/salted.ts";
import type { Money } from "#shared/money.ts";

type Account = Pick<typeof bankAccounts.$inferSelect, "bankCode" | "sealed" | "holder">;

/** States where a member's withdrawals go. The account's number is hashed as it is, and stored encrypted. */
export async function stateBank(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  memberId: number,
  { bankCode, sealed, holder, number }: Account & { number: string },
): Promise<string> {
  const said = { kind: "bank", bank: bankCode, account: number, holder, at: clock.now() } as const;
  return addMemberLeaf<"bank">(tx, memberId, said, { account: sealed });
}

/** The hash of the leaf of a member's bank account; null where it was bound before the log said accounts. */
async function bankLeafOf(read: Tx, memberId: number): Promise<string | null> {
  const isBank = and(eq(memberLeaves.memberId, memberId), like(memberLeaves.key, `bank:${memberId}:%`));
  const [leaf] = await read
    .select({ hash: memberLeaves.hash })
    .from(memberLeaves)
    .where(isBank)
    .orderBy(desc(memberLeaves.number))
    .limit(1);
  return leaf?.hash ?? null;
}

/** States an account that was bound before the log said accounts, so that a withdrawal can name it. */
export async function stateBankOnce(tx: Tx, deps: Pick<Deps, "clock" | "keys">, memberId: number): Promise<void> {
  if ((await bankLeafOf(tx, memberId)) !== null) return;
  const [account] = await tx.select().from(bankAccounts).where(eq(bankAccounts.memberId, memberId));
  if (!account) return;
  await stateBank(tx, deps, memberId, { ...account, number: openNumber(deps, memberId, account.sealed) });
}

/** Whether an account of this member was unbound before. */
export async function wasUnbound(read: Tx, memberId: number): Promise<boolean> {
  const isUnbound = and(eq(memberLeaves.memberId, memberId), like(memberLeaves.key, `unbind:${memberId}:%`));
  const [leaf] = await read.select({ id: memberLeaves.id }).from(memberLeaves).where(isUnbound).limit(1);
  return leaf !== undefined;
}

/** States that a member's account is bound no longer. */
export async function stateUnbound(tx: Tx, { clock }: Pick<Deps, "clock">, memberId: number): Promise<void> {
  const bank = (await bankLeafOf(tx, memberId)) ?? NO_LEAF_BEFORE;
  await addMemberLeaf<"unbind">(tx, memberId, { kind: "unbind", bank, at: clock.now() });
}

interface Step {
  memberId: number;
  id: string;
  state: WithdrawalStatus;
  amount: Money;
}

/** States what became of a withdrawal, and which account it goes to. */
export async function stateWithdrawal(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { memberId, ...step }: Step,
): Promise<void> {
  const bank = (await bankLeafOf(tx, memberId)) ?? NO_LEAF_BEFORE;
  const said = { kind: "withdrawal", ...step, unit: await readUnit(tx), bank, at: clock.now() } as const;
  await addMemberLeaf<"withdrawal">(tx, memberId, said);
}
