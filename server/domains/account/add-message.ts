import type { Tx } from "#db/db.ts";
import { messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";

/** What a member is told of; each has a text `message.<kind>`. A new kind is a new word here. */
export type MessageKind =
  | "withdraw.approved"
  | "withdraw.refused"
  | "withdraw.paid"
  | "recharge.returned"
  | "recharge.owed"
  | "recharge.restored"
  | "membership.ended"
  | "wheel.revealed";

/** Tells a member what happened to their account. In `facts`, `money` is a decimal; it is shown as the reader writes it. */
export async function addMessage(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  memberId: number,
  kind: MessageKind,
  facts: Record<string, string>,
): Promise<void> {
  await tx.insert(messages).values({ memberId, kind, facts, createdAt: clock.now() });
}
