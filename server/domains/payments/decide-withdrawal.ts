import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { withdrawals } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { payOutHeld, transfer } from "#server/domains/ledger/transfer.ts";
import { isNotCooling } from "#server/domains/account/cooling.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import type { WithdrawalStatus } from "#shared/contract/withdrawals.ts";
import { toDecimal } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { refuseDebt } from "./debts.ts";
import { stateWithdrawal } from "./state-withdrawal.ts";
import { withdrawalWireId } from "./withdraw.ts";

type Needs = Pick<Deps, "clock" | "announce">;
export type Withdrawal = typeof withdrawals.$inferSelect;

/** Approves a withdrawal that is in review; it stays held until it is paid. Refused while the member owes or cools down. */
export async function approveWithdrawal(tx: Tx, deps: Needs, id: number): Promise<Withdrawal> {
  const approved = await decide(tx, deps, id, { from: ["review"], to: "approved" });
  await refuseDebt(tx, approved.memberId);
  return approved;
}

/** Refuses a withdrawal that is not paid, and returns what was held for it. The member reads the reason. */
export async function refuseWithdrawal(tx: Tx, deps: Needs, id: number, reason: string): Promise<Withdrawal> {
  const refused = await decide(tx, deps, id, { from: ["review", "approved"], to: "refused", reason });
  const { memberId, amount } = refused;
  const cause = withdrawalWireId(id);
  const account = "held:withdrawals" as const;
  await transfer(tx, deps, { code: "withdraw-return", cause, memberId, account, amount, reason });
  return refused;
}

/** Books an approved withdrawal as paid: the held money has left the house. Refused as above. */
export async function payWithdrawal(tx: Tx, deps: Needs, id: number): Promise<Withdrawal> {
  const paid = await decide(tx, deps, id, { from: ["approved"], to: "paid" });
  await refuseDebt(tx, paid.memberId);
  await payOutHeld(tx, deps, { cause: withdrawalWireId(id), memberId: paid.memberId, amount: paid.amount });
  return paid;
}

interface Step {
  from: WithdrawalStatus[];
  to: Exclude<WithdrawalStatus, "review">;
  reason?: string;
}

/** Changes the status once, however many try at the same time, and tells the member, by a message and in the log. */
async function decide(tx: Tx, deps: Needs, id: number, { from, to, reason }: Step): Promise<Withdrawal> {
  const isIn = and(eq(withdrawals.id, id), inArray(withdrawals.status, from));
  const isCool = isNotCooling(tx, withdrawals.memberId, deps.clock.now());
  const [changed] = await tx
    .update(withdrawals)
    .set({ status: to, updatedAt: deps.clock.now(), ...(reason !== undefined && { reason }) })
    .where(and(isIn, to === "refused" ? undefined : isCool))
    .returning();
  if (!changed) throw await whyNot(tx, id, from);
  const { memberId, amount } = changed;
  const facts = { money: toDecimal(amount), record: withdrawalWireId(id), ...(reason !== undefined && { reason }) };
  await addMessage(tx, deps, memberId, `withdraw.${to}`, facts);
  await stateWithdrawal(tx, deps, { memberId, id: withdrawalWireId(id), state: to, amount });
  await deps.announce(tx, "withdrawal.changed", { memberId, withdrawalId: id, status: to });
  return changed;
}

async function whyNot(read: Tx, id: number, from: WithdrawalStatus[]): Promise<Refusal> {
  const [known] = await read.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (!known) return new Refusal("object.unknown");
  return new Refusal(from.includes(known.status) ? "withdraw.cooling" : "withdraw.decided");
}
