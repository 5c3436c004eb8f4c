import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { countLateDeposit } from "#server/domains/ledger/count-deposit.ts";
import { FULL, transfer } from "#server/domains/ledger/transfer.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import type { DepositStatus } from "#shared/contract/payments.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { PaymentEvent } from "./channel.ts";
import { collectDebts } from "./debts.ts";
import type { Deposit } from "./order-deposit.ts";
import { applyReturns, endReturn, storeReturn } from "./returns.ts";
import { recordReceived } from "./surplus.ts";

export type Needs = Pick<Deps, "clock" | "announce">;

/** How soon a payment that is not final yet is queried again. */
const PENDING_MS = 5 * MINUTE_MS;

/**
 * Applies a channel's news of one of its orders. Idempotent: repeated and reordered news changes nothing more. Refuses an
 * order that is not this channel's, and an amount or unit that is not the order's.
 */
export async function applyEvent(tx: Tx, deps: Needs, channel: string, event: PaymentEvent): Promise<void> {
  const [deposit] = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.orderNo, event.orderNo), eq(deposits.channel, channel)));
  if (!deposit) throw new Refusal("object.unknown");
  if ("unit" in event && event.unit !== deposit.unit) throw new Refusal("payment.mismatch");
  const total = deposit.amount + deposit.fee;
  const isOpen = deposit.status === "waiting" || deposit.status === "failed";
  // Paid in part before; the full payment may have come now.
  const isShort = deposit.status === "review" && deposit.received !== null && deposit.received < total;
  switch (event.kind) {
    case "paid":
      if (event.amount !== total) throw new Refusal("payment.mismatch");
      if (isOpen || isShort) await pay(tx, deps, deposit, event.amount);
      return recordReceived(tx, deps, deposit, event.received ?? event.amount);
    case "partial":
      if (isOpen) await putInReview(tx, deps, deposit, event.amount);
      return recordReceived(tx, deps, deposit, event.amount);
    case "failed":
      if ((event.amount ?? total) !== total) throw new Refusal("payment.mismatch");
      if (deposit.status === "waiting") await moveTo(tx, deps, deposit, "failed");
      return;
    case "pending":
      if (deposit.status !== "waiting") return;
      await tx
        .update(deposits)
        .set({ askAt: deps.clock.now() + PENDING_MS })
        .where(eq(deposits.id, deposit.id));
      return;
    case "returned":
      return storeReturn(tx, deps, deposit, event);
    case "restored":
      return endReturn(tx, deps, deposit, event);
  }
}

/**
 * Credits a payment. A payment of a lapsed order is credited if the member may top up now and the unit is still the same.
 * Otherwise, or if the wallet has no room, it waits for the operator's review.
 */
async function pay(tx: Tx, deps: Needs, deposit: Deposit, received: Money): Promise<void> {
  const { memberId, amount, createdAt, status, unit } = deposit;
  const now = deps.clock.now();
  const hasRoom = (await readWallet(tx, memberId)).balance <= FULL - amount;
  const isAllowed = hasRoom && unit === (await readUnit(tx));
  const isLate = status !== "waiting";
  const mayTopUp =
    isAllowed && (!isLate || (await countLateDeposit(tx, memberId, { amount, orderedAt: createdAt }, now)));
  if (mayTopUp) await credit(tx, deps, deposit, amount);
  else await putInReview(tx, deps, deposit, received);
}

/** Credits an order. Then debits what its channel has already taken back, and what the member still owes. */
export async function credit(tx: Tx, deps: Needs, deposit: Deposit, amount: Money, reason?: string): Promise<void> {
  const { memberId, orderNo } = deposit;
  const changes = { paidAt: deps.clock.now(), ...(reason !== undefined && { reason }) };
  await moveTo(tx, deps, deposit, "paid", changes);
  const totals = { depositedTotal: amount };
  await transfer(tx, deps, { code: "deposit", cause: orderNo, memberId, account: "house:channels", amount, totals });
  await applyReturns(tx, deps, { ...deposit, status: "paid" });
  await collectDebts(tx, deps, memberId);
}

/** Records a payment without crediting it: the operator credits it or has it refunded. */
async function putInReview(tx: Tx, deps: Needs, deposit: Deposit, received: Money): Promise<void> {
  await moveTo(tx, deps, deposit, "review", { received, paidAt: deps.clock.now() });
  await applyReturns(tx, deps, { ...deposit, status: "review", received });
}

/** Changes an order's status and announces it. Throws if the status is no longer what was read. */
export async function moveTo(
  tx: Tx,
  deps: Pick<Deps, "announce">,
  { id, memberId, status: from }: Deposit,
  status: DepositStatus,
  changes: Partial<Deposit> = {},
): Promise<void> {
  const [changed] = await tx
    .update(deposits)
    .set({ ...changes, status })
    .where(and(eq(deposits.id, id), eq(deposits.status, from)))
    .returning({ id: deposits.id });
  if (!changed) throw new Error(`order ${id} changed inside a transaction`);
  await deps.announce(tx, "deposit.changed", { memberId, depositId: id, status });
}
