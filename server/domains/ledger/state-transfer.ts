import type { Tx } from "#db/db.ts";
import { addMemberLeaf, causeText } from "#server/domains/log/member-leaves.ts";
import type { Money } from "#shared/money.ts";
import { readUnit } from "./unit.ts";

/** What the log says of a transfer. A spin's leaf says what it cost and won, a withdrawal's what it moved. */
const STATED: Record<string, "credit" | "debit"> = {
  deposit: "credit",
  credit: "credit",
  demo: "credit",
  welcome: "credit",
  "chargeback-return": "credit",
  plan: "debit",
  reversal: "debit",
  chargeback: "debit",
  debt: "debit",
};

/** The kind of leaf of a transfer; undefined where another leaf says it. */
export const leafOfTransfer = (code: string): "credit" | "debit" | undefined =>
  Object.hasOwn(STATED, code) ? STATED[code] : undefined;

interface StatedTransfer {
  code: string;
  cause: string;
  memberId: number;
  amount: Money;
  /** The days of membership that were bought; 0 for what buys none. */
  days: number;
  at: number;
}

/** States money that came to a member or went, together with its transfer. */
export async function stateTransfer(tx: Tx, { memberId, days, ...transfer }: StatedTransfer): Promise<void> {
  const kind = leafOfTransfer(transfer.code);
  if (!kind) return;
  const { code, at } = transfer;
  const moved = {
    code,
    cause: causeText(transfer.cause),
    amount: Math.abs(transfer.amount),
    unit: await readUnit(tx),
    at,
  };
  if (kind === "credit") await addMemberLeaf<"credit">(tx, memberId, { kind, ...moved });
  else await addMemberLeaf<"debit">(tx, memberId, { kind, ...moved, days });
}
