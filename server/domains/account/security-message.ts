import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage, type OperatorChange, type SecurityNews } from "./add-message.ts";
import { startCooling } from "./cooling.ts";

/**
 * Tells a member what happened to the safety of their account, in the transaction in which it happened. Every server
 * hears of the message as `security.told`, whoever else is to pass it on.
 */
export async function tellSecurity(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  memberId: number,
  news: SecurityNews,
  facts: Record<string, string> = {},
): Promise<void> {
  const messageId = await addMessage(tx, deps, memberId, `security.${news}`, facts);
  await deps.announce(tx, "security.told", { memberId, messageId });
}

/**
 * Tells a member what an operator changed and why, and begins the cooling time. Returns when that ends. It goes with the
 * change, in the same transaction.
 */
export async function tellChange(
  tx: Tx,
  deps: Pick<Deps, "clock" | "settings" | "announce">,
  memberId: number,
  change: OperatorChange,
  reason: string,
): Promise<number> {
  await tellSecurity(tx, deps, memberId, change, { reason });
  await deps.announce(tx, "member.changed", { memberId });
  return startCooling(tx, deps, memberId);
}
