import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { wallets } from "#db/schema/ledger.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { named, namedColumns } from "./named-sql.ts";
import { counted, MAY_PLAY, stampsOf, WITHIN_DEPOSIT_LIMITS } from "./wallet-sql.ts";
import { whyRefused } from "./why-refused.ts";

/** Counts a top-up towards the member's own limits, or refuses it: locked, excluded, or a limit reached. */
export async function countDeposit(tx: Tx, memberId: number, amount: Money, now: number): Promise<void> {
  const values = { total: amount, now, ...stampsOf(now) };
  const [counts] = await tx
    .update(wallets)
    .set(namedColumns(counted("deposited"), values))
    .where(
      and(eq(wallets.memberId, memberId), sql`${named(MAY_PLAY, values)} and ${named(WITHIN_DEPOSIT_LIMITS, values)}`),
    )
    .returning({ memberId: wallets.memberId });
  if (counts) return;
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.memberId, memberId));
  throw new Refusal(whyRefused(wallet!, now, 0));
}
