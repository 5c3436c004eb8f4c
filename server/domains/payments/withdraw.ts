import type { Tx } from "#db/db.ts";
import { withdrawals } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { toDecimal } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { recordNumber, rowOfNumber } from "#shared/record-number.ts";
import { dayOf } from "#shared/time.ts";
import { refuseDebt } from "./debts.ts";
import { stateBankOnce, stateWithdrawal } from "./state-withdrawal.ts";
import { refuseTooMany, refuseUnbound, type WithdrawalRequest } from "./withdrawal-rules.ts";

/** The wire's id of a withdrawal, which is also the cause of its transfers. */
export const withdrawalWireId = (id: number): string => `wdr_${id}`;

/** A withdrawal by the wire's id, or by the number that people read; undefined for what is neither. */
export const withdrawalOfWireId = (word: string): number | undefined =>
  rowOfNumber("withdrawal", word.replace(/^wdr_/, recordNumber("withdrawal", 0).slice(0, -1)));

/** Who withdraws too much needs no top-up: it is a refusal of its own. */
function beyond(error: unknown): never {
  const isShort = error instanceof Refusal && error.reason === "balance.insufficient";
  throw isShort ? new Refusal("withdraw.beyond", error.detail) : error;
}

/** Requests a withdrawal. Its amount leaves the balance now and is held until the operator has decided. */
export async function withdraw(tx: Tx, deps: Deps, request: WithdrawalRequest): Promise<string> {
  const { memberId, amount } = request;
  const now = deps.clock.now();
  const day = dayOf(now);
  const [row] = await tx
    .insert(withdrawals)
    .values({ memberId, amount, status: "review", day, createdAt: now, updatedAt: now })
    .returning({ id: withdrawals.id });
  const cause = withdrawalWireId(row!.id);
  await transfer(tx, deps, { code: "withdraw", cause, memberId, account: "held:withdrawals", amount: -amount }).catch(
    beyond,
  );
  // The transfer has locked the wallet's row, so the member's other withdrawals and debts wait for this commit.
  await refuseDebt(tx, memberId);
  await refuseTooMany(tx, deps, request, day);
  await refuseUnbound(tx, memberId);
  await stateBankOnce(tx, deps, memberId);
  await stateWithdrawal(tx, deps, { memberId, id: cause, state: "review", amount });
  await tellSecurity(tx, deps, memberId, "withdrawAsked", { money: toDecimal(amount) });
  await deps.announce(tx, "withdrawal.changed", { memberId, withdrawalId: row!.id, status: "review" });
  return cause;
}
