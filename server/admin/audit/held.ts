import { and, asc, eq, gt, inArray, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { transfers, wallets, withdrawals } from "#db/schema/index.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import type { Findings } from "./findings.ts";
import { inPages, pagesOf } from "./pages.ts";

type Withdrawal = typeof withdrawals.$inferSelect;
type Transfer = typeof transfers.$inferSelect;
const HELD = "held:withdrawals";

/** The transfers of a withdrawal, by its status. */
const MOVES: Record<Withdrawal["status"], string[]> = {
  review: ["withdraw"],
  approved: ["withdraw"],
  refused: ["withdraw", "withdraw-return"],
  paid: ["withdraw", "withdraw-paid"],
};

/** Checks the held account against the open withdrawals, each withdrawal's transfers, and the totals paid. */
export async function auditHeld(read: Tx, found: Findings): Promise<void> {
  let waiting = 0;
  const paid = new Map<number, number>();
  const page = (after: number, limit: number) =>
    read.select().from(withdrawals).where(gt(withdrawals.id, after)).orderBy(asc(withdrawals.id)).limit(limit);
  for await (const rows of pagesOf(page)) {
    const moves = await movesOf(read, rows);
    for (const one of rows) {
      if (one.status === "review" || one.status === "approved") waiting += one.amount;
      if (one.status === "paid") paid.set(one.memberId, (paid.get(one.memberId) ?? 0) + one.amount);
      checkMoves(one, moves.get(withdrawalWireId(one.id)) ?? [], found);
    }
  }
  const held = await readHeld(read);
  found.check(held === waiting, () => `${HELD} has ${held}, withdrawals wait for ${waiting}`);
  await checkTotals(read, paid, found);
}

async function movesOf(read: Tx, rows: Withdrawal[]): Promise<Map<string, Transfer[]>> {
  const codes = ["withdraw", "withdraw-return", "withdraw-paid"];
  const names = rows.map(({ id }) => withdrawalWireId(id));
  const moved = await read
    .select()
    .from(transfers)
    .where(and(inArray(transfers.code, codes), inArray(transfers.cause, names)));
  return Map.groupBy(moved, ({ cause }) => cause);
}

function checkMoves({ id, memberId, amount, status }: Withdrawal, moved: Transfer[], found: Findings): void {
  const member = `member:${memberId}`;
  const ends: Record<string, string> = {
    withdraw: `${member} ${HELD}`,
    "withdraw-return": `${HELD} ${member}`,
    "withdraw-paid": `${HELD} house:channels`,
  };
  const says = moved.map(({ code, debit, credit, amount }) => `${code} ${debit} ${credit} ${amount}`).sort();
  const due = MOVES[status].map((code) => `${code} ${ends[code]} ${amount}`).sort();
  const name = withdrawalWireId(id);
  found.check(says.join() === due.join(), () => `withdrawal ${name}: its transfers do not match its status ${status}`);
}

async function readHeld(read: Tx): Promise<number> {
  let held = 0;
  const touched = or(eq(transfers.debit, HELD), eq(transfers.credit, HELD));
  const page = (after: number, limit: number) =>
    read
      .select()
      .from(transfers)
      .where(and(touched, gt(transfers.id, after)))
      .orderBy(asc(transfers.id))
      .limit(limit);
  for await (const { credit, amount } of inPages(page)) held += credit === HELD ? amount : -amount;
  return held;
}

async function checkTotals(read: Tx, paid: Map<number, number>, found: Findings): Promise<void> {
  const page = (after: number, limit: number) =>
    read
      .select({ id: wallets.memberId, says: wallets.withdrawnTotal })
      .from(wallets)
      .where(gt(wallets.memberId, after))
      .orderBy(asc(wallets.memberId))
      .limit(limit);
  for await (const { id, says } of inPages(page)) {
    const sum = paid.get(id) ?? 0;
    found.check(says === sum, () => `wallet of member ${id}: was paid withdrawals of ${sum}, the wallet has ${says}`);
  }
}
