import type { Tx } from "#db/db.ts";
import { messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";

/** Kinds of messages. A new kind is added here and needs a text `message.<kind>`. */
type MessageKind =
  | "withdraw.approved"
  | "withdraw.refused"
  | "withdraw.paid"
  | "recharge.returned"
  | "recharge.owed"
  | "recharge.restored"
  | "membership.ended"
  | "wheel.revealed";

/** Adds a message to a member about their account. In `facts`, `money` is a decimal; it is formatted for the reader. */
export async function addMessage(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  memberId: number,
  kind: MessageKind,
  facts: Record<string, string>,
): Promise<void> {
  await tx.insert(messages).values({ memberId, kind, facts, createdAt: clock.now() });
}
