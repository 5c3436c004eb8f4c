import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { transfers } from "#db/schema/ledger.ts";
import type { Deps } from "#server/app/deps.ts";
import { transfer, type TransferCode, type Transferred } from "#server/domains/ledger/transfer.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";

/** Codes of credits that an operator may reverse. A new code on the operator's account is none until it is listed here. */
export const OWN_CREDITS: ReadonlySet<string> = new Set<TransferCode>(["credit", "deposit"]);

type Needs = Pick<Deps, "clock" | "announce" | "random">;

/** Gives a member money or points, with a reason that stands in their money log. */
export function creditMember(
  tx: Tx,
  deps: Needs,
  memberId: number,
  amount: Money,
  reason: string,
): Promise<Transferred> {
  const cause = `op_${Buffer.from(deps.random(12)).toString("base64url")}`;
  return transfer(tx, deps, { code: "credit", cause, memberId, account: "house:operator", amount, reason });
}

/** Reverses an operator's credit, whole and once. Refuses if the balance does not cover it, and any other transfer. */
export async function reverseCredit(tx: Tx, deps: Needs, transferId: number, reason: string): Promise<Transferred> {
  const [original] = await tx.select().from(transfers).where(eq(transfers.id, transferId));
  if (!original) throw new Refusal("object.unknown");
  const isOperators =
    original.debit === "house:operator" && original.memberId !== null && OWN_CREDITS.has(original.code);
  const cause = `trf_${transferId}`;
  const [before] = await tx
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.code, "reversal"), eq(transfers.cause, cause)));
  if (!isOperators || before) throw new Refusal("transfer.irreversible");
  const { amount, memberId } = original;
  const totals = original.code === "deposit" ? { depositedTotal: -amount } : {};
  const order = { code: "reversal", cause, memberId: memberId!, account: "house:operator", amount: -amount } as const;
  return transfer(tx, deps, { ...order, reason, totals });
}
