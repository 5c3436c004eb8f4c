import { and, asc, gt, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { messages, withdrawals } from "#db/schema/index.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import { toDecimal } from "#shared/money.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

const DECIDED = ["approved", "refused", "paid"] as const;

/** Withdrawals of one member, amount and status, and how often the member was told of one. */
interface Decided {
  rows: string[];
  told: number;
}

/** Each decision on a withdrawal was told to its member by a message of its amount, in the same transaction. */
export async function auditDecisions(read: Tx, found: Findings): Promise<void> {
  const decided = new Map<string, Decided>();
  const of = (memberId: number, status: string, money: string) => {
    const name = `${memberId} ${status} ${money}`;
    if (!decided.has(name)) decided.set(name, { rows: [], told: 0 });
    return decided.get(name)!;
  };
  const asked = (after: number, limit: number) =>
    read.select().from(withdrawals).where(gt(withdrawals.id, after)).orderBy(asc(withdrawals.id)).limit(limit);
  for await (const { id, memberId, amount, status } of inPages(asked)) {
    if (status === "review") continue;
    const own = (step: string) => of(memberId, step, toDecimal(amount)).rows.push(withdrawalWireId(id));
    own(status);
    // What is paid was approved before. What is refused may have been.
    if (status === "paid") own("approved");
  }
  const kinds = DECIDED.map((status) => `withdraw.${status}`);
  const told = (after: number, limit: number) =>
    read
      .select()
      .from(messages)
      .where(and(inArray(messages.kind, kinds), gt(messages.id, after)))
      .orderBy(asc(messages.id))
      .limit(limit);
  for await (const { memberId, kind, facts } of inPages(told))
    of(memberId, kind.slice("withdraw.".length), facts.money ?? "").told++;
  for (const [name, { rows, told }] of decided) {
    const [memberId, status, money] = name.split(" ");
    for (const row of rows.slice(told))
      found.check(false, () => `withdrawal ${row} counts as ${status}, but nobody told its member so`);
    found.check(
      told <= rows.length || status === "approved",
      () => `member ${memberId} was told ${told} times that ${money} was ${status}: ${rows.length} withdrawals say so`,
    );
  }
}
