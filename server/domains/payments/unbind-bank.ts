import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { bankAccounts, withdrawals } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { stateUnbound } from "./state-withdrawal.ts";
import { withdrawalWireId } from "./withdraw.ts";

/** A member's withdrawals that are neither paid nor refused. */
export async function openWithdrawals(read: Tx, memberId: number): Promise<string[]> {
  const rows = await read
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.memberId, memberId), inArray(withdrawals.status, ["review", "approved"])))
    .orderBy(asc(withdrawals.id));
  return rows.map(({ id }) => withdrawalWireId(id));
}

/**
 * Takes a member's bank account away, so that they can bind another one, and says so in the log. Decide open withdrawals
 * first: they were asked for with this account in mind.
 */
export async function unbindBank(tx: Tx, deps: Pick<Deps, "clock">, memberId: number): Promise<void> {
  const gone = await tx
    .delete(bankAccounts)
    .where(eq(bankAccounts.memberId, memberId))
    .returning({ id: bankAccounts.memberId });
  if (gone.length === 0) throw new Refusal("bank.missing");
  await stateUnbound(tx, deps, memberId);
}
