import type { Tx } from "#db/db.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { transfer, type Transferred } from "#server/domains/ledger/transfer.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { DEFAULT_LOCALE } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";
import { newOrderNo } from "./order-number.ts";

/** Credits a top-up that the operator received outside every channel. The member sees the reason in their list. */
export async function creditDeposit(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce" | "random">,
  { memberId, amount, reason }: { memberId: number; amount: Money; reason: string },
): Promise<Transferred> {
  const now = deps.clock.now();
  const orderNo = newOrderNo(deps);
  const order = {
    orderNo,
    memberId,
    amount,
    reason,
    channel: "operator",
    status: "credited",
    locale: DEFAULT_LOCALE,
    unit: await readUnit(tx),
  } as const;
  const [deposit] = await tx
    .insert(deposits)
    .values({ ...order, createdAt: now, expiresAt: now, paidAt: now })
    .returning({ id: deposits.id });
  const totals = { depositedTotal: amount };
  const account = "house:operator" as const;
  const change = await transfer(tx, deps, {
    code: "deposit",
    cause: orderNo,
    memberId,
    account,
    amount,
    reason,
    totals,
  });
  await deps.announce(tx, "deposit.changed", { memberId, depositId: deposit!.id, status: "credited" });
  return change;
}
