import { and, eq, gte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wallets } from "#db/schema/ledger.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import { recordTransfer } from "./transfer.ts";
import { readWallet } from "./wallet.ts";

/**
 * Debits what a payment provider took back, as far as the balance covers it, from a locked wallet too. Returns the amount
 * taken: 0 when the balance is empty. The wallet's row stays locked until the transaction ends.
 */
export async function takeBack(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  { code, cause, memberId, most }: { code: "chargeback" | "debt"; cause: string; memberId: number; most: Money },
): Promise<Money> {
  const { balance } = await readWallet(tx, memberId);
  const amount = Math.min(balance, most);
  if (amount <= 0) return 0;
  const [wallet] = await tx
    .update(wallets)
    .set({ balance: sql`${wallets.balance} - ${amount}`, version: sql`${wallets.version} + 1` })
    .where(and(eq(wallets.memberId, memberId), gte(wallets.balance, amount)))
    .returning({ balance: wallets.balance, version: wallets.version });
  if (!wallet) throw new Error(`the balance of member ${memberId} changed inside a transaction`);
  await recordTransfer(tx, deps, { code, cause, memberId, account: "house:channels", amount: -amount }, wallet);
  return amount;
}
