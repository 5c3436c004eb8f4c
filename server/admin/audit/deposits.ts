import { and, asc, eq, gt, inArray, like } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { debts, deposits, erasedMembers, paymentReturns, transfers } from "#db/schema/index.ts";
import { returnOfRest } from "#server/domains/ledger/rests.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

/** `erasedAt`: when its member was erased. */
type Deposit = typeof deposits.$inferSelect & { erasedAt: number | null };
type Transfer = typeof transfers.$inferSelect;
type Return = typeof paymentReturns.$inferSelect;

/** Whether an order of this status was credited; `null` for either. */
const CREDITED: Record<Deposit["status"], boolean | null> = {
  waiting: false,
  failed: false,
  review: false,
  refunding: false,
  paid: true,
  credited: true,
  disputed: null,
  refunded: null,
};

/** Checks each top-up, payment return and debt against its transfers. */
export async function auditDeposits(read: Tx, found: Findings): Promise<void> {
  const { id, orderNo, memberId } = deposits;
  const page = (after: number, limit: number) =>
    read
      .select({ id, deposit: deposits, credit: transfers, erasedAt: erasedMembers.erasedAt })
      .from(deposits)
      .leftJoin(transfers, and(eq(transfers.code, "deposit"), eq(transfers.cause, orderNo)))
      .leftJoin(erasedMembers, eq(erasedMembers.memberId, memberId))
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(limit);
  for await (const rows of pagesOf(page)) {
    const ids = rows.map((row) => row.id);
    const taken = await read.select().from(paymentReturns).where(inArray(paymentReturns.depositId, ids));
    const returns = Map.groupBy(taken, ({ depositId }) => depositId);
    for (const { id: own, deposit, erasedAt, credit } of rows)
      await checkDeposit(read, { ...deposit, erasedAt }, credit, returns.get(own) ?? [], found);
  }
}

async function checkDeposit(
  read: Tx,
  deposit: Deposit,
  credit: Transfer | null,
  returns: Return[],
  found: Findings,
): Promise<void> {
  const { orderNo, memberId, amount, channel, status } = deposit;
  const member = `member:${memberId}`;
  const due = CREDITED[status];
  found.check(
    due === null || due === (credit !== null),
    () => `top-up ${orderNo}: is ${status}, but was ${credit ? "" : "not "}credited`,
  );
  if (credit) {
    const account = channel === "operator" ? "house:operator" : "house:channels";
    const isWhole = channel === "operator" ? credit.amount === amount : credit.amount <= amount;
    found.check(
      isWhole && credit.debit === account && credit.credit === member,
      () => `top-up ${orderNo}: its transfer is not the one of its order`,
    );
  }
  let kept = 0;
  for (const one of returns) kept += await checkReturn(read, deposit, one, found);
  const taken = dueOf(returns.filter(({ endedAt }) => endedAt === null));
  if (deposit.erasedAt !== null && kept > taken)
    found.note(() => `member ${memberId} was erased, and top-up ${orderNo} came back since: give ${kept - taken} back`);
  found.check(taken <= (credit?.amount ?? 0), () => `top-up ${orderNo}: more was taken back than was credited`);
  checkRests(orderNo, returns, found);
}

/** Null is due nothing. */
const dueOf = (returns: Return[]) => returns.reduce((sum, { due }) => sum + Number(due), 0);

/** A rest is of a return of the same order, and ends with it; with its rests, a return takes no more than its channel did. */
function checkRests(orderNo: string, returns: Return[], found: Findings): void {
  const byId = new Map(returns.map((one) => [one.id, one]));
  const rests = Map.groupBy(returns, ({ reference }) => returnOfRest(reference));
  for (const [id, own] of rests) {
    if (id === undefined) continue;
    const one = byId.get(id);
    const isOwn = one !== undefined && own.every(({ endedAt }) => endedAt === one.endedAt);
    found.check(
      isOwn && dueOf([one, ...own]) <= one.amount,
      () => `top-up ${orderNo}: the rests of return ${id} are not what it left`,
    );
  }
}

/** Returns what was taken from the member and not given back. */
async function checkReturn(
  read: Tx,
  { orderNo, memberId, erasedAt }: Deposit,
  { id, reference, due, endedAt }: Return,
  found: Findings,
): Promise<number> {
  const name = `${orderNo}:${reference}`;
  const member = `member:${memberId}`;
  const [taken] = await movesOf(read, "chargeback", name);
  const [back] = await movesOf(read, "chargeback-return", name);
  const [debt] = await read.select().from(debts).where(eq(debts.returnId, id));
  const payments = debt
    ? await read
        .select()
        .from(transfers)
        .where(and(eq(transfers.code, "debt"), like(transfers.cause, `debt:${debt.id}:%`)))
    : [];
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0);
  const isFrom = [taken, ...payments].every((one) => !one || one.debit === member);
  const isTaken = (taken?.amount ?? 0) + (debt?.amount ?? 0) === (due ?? 0);
  const isPaid = paid === (debt?.paid ?? 0);
  const isOver = !debt || (debt.settledAt !== null) === (paid === debt.amount || endedAt !== null);
  const all = (taken?.amount ?? 0) + paid;
  // Nothing comes to the wallet of an erased member.
  const isKept = endedAt === null || (erasedAt !== null && endedAt >= erasedAt);
  const owedBack = isKept ? 0 : all;
  const isBack = (back?.amount ?? 0) === owedBack && (!back || back.credit === member);
  found.check(
    isFrom && isTaken && isPaid && isOver && isBack,
    () => `payment return ${name}: its transfers and its debt are not those of what was taken back`,
  );
  return isKept ? all : 0;
}

const movesOf = (read: Tx, code: string, cause: string) =>
  read
    .select()
    .from(transfers)
    .where(and(eq(transfers.code, code), eq(transfers.cause, cause)));
