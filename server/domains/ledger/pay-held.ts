import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { transfers, wallets } from "#db/schema/ledger.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";

/**
 * Sends what was held for a member on its way out of the house. Their wallet gave it
 * when it was held, so this row is no member's; only the total of what they withdrew grows.
 */
export async function payOutHeld(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { cause, memberId, amount }: { cause: string; memberId: number; amount: Money },
): Promise<void> {
  const accounts = { debit: "held:withdrawals", credit: "house:channels" };
  await tx.insert(transfers).values({ code: "withdraw-paid", cause, ...accounts, amount, createdAt: clock.now() });
  await tx
    .update(wallets)
    .set({ withdrawnTotal: sql`${wallets.withdrawnTotal} + ${amount}` })
    .where(eq(wallets.memberId, memberId));
}
