import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wallets } from "#db/schema/ledger.ts";
import { debts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { takeBack } from "#server/domains/ledger/take-back.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";

/** The sum of a member's open debts. */
export async function readDebt(read: Tx, memberId: number): Promise<Money> {
  const [sum] = await read
    .select({ owed: sql<number | string>`coalesce(sum(${debts.amount} - ${debts.paid}), 0)` })
    .from(debts)
    .where(and(eq(debts.memberId, memberId), isNull(debts.settledAt)));
  return Number(sum!.owed);
}

/** Refuses a member who owes. */
export async function refuseDebt(read: Tx, memberId: number): Promise<void> {
  if ((await readDebt(read, memberId)) > 0) throw new Refusal("debt.open");
}

/** Takes what a member owes from their balance, oldest first, as far as it goes. */
export async function collectDebts(tx: Tx, deps: Pick<Deps, "clock" | "announce">, memberId: number): Promise<void> {
  const open = await tx
    .select()
    .from(debts)
    .where(and(eq(debts.memberId, memberId), isNull(debts.settledAt)))
    .orderBy(asc(debts.id));
  for (const { id, amount, paid } of open) {
    const cause = `debt:${id}:${paid}`;
    const taken = await takeBack(tx, deps, { code: "debt", cause, memberId, most: amount - paid });
    if (taken === 0) return;
    const settled = paid + taken === amount ? { settledAt: deps.clock.now() } : {};
    await tx
      .update(debts)
      .set({ paid: paid + taken, ...settled })
      .where(eq(debts.id, id));
  }
}

/** Members with debts and a balance, so many at most. */
export async function listOwing(read: Tx, most: number): Promise<number[]> {
  const owing = await read
    .selectDistinct({ memberId: debts.memberId })
    .from(debts)
    .innerJoin(wallets, eq(wallets.memberId, debts.memberId))
    .where(and(isNull(debts.settledAt), gt(wallets.balance, 0)))
    .orderBy(asc(debts.memberId))
    .limit(most);
  return owing.map(({ memberId }) => memberId);
}
