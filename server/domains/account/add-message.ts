import type { Tx } from "#db/db.ts";
import { messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { queueMessagePush } from "./queue-push.ts";

/** What members hear about the safety of their account. A new kind needs a text `message.security.<kind>`. */
export type SecurityNews =
  | OperatorChange
  | "locked"
  | "unlocked"
  | "passcodeSet"
  | "passcodeChanged"
  | "passcodeFailed"
  | "passcodeLocked"
  | "passwordChanged"
  | "nameLocked"
  | "recoveryMade"
  | "recovered"
  | "sessionsEnded"
  | "exportTaken"
  | "exportedByHouse"
  | "bankLinked"
  | "withdrawAsked"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "passkeyCopied"
  | "newDevice"
  | "partnerLogin";

/** What an operator changed about an account. */
export type OperatorChange =
  | "resetPassword"
  | "resetPasscode"
  | "removedPasskeys"
  | "unboundBank"
  | "renamed"
  | "endedSessions";

/** Kinds of messages. A new kind is added here and needs a text `message.<kind>`. */
type MessageKind =
  | "withdraw.approved"
  | "withdraw.refused"
  | "withdraw.paid"
  | "recharge.returned"
  | "recharge.owed"
  | "recharge.restored"
  | "round.returned"
  | "membership.ended"
  | "comment.hidden"
  | "wheel.revealed"
  | `security.${SecurityNews}`;

/** Adds a message to a member about their account, for the devices that want it too, and returns its id. In `facts`, `money` is a decimal; it is formatted for the reader, and `record` is the wire's id of the record that it speaks of. */
export async function addMessage(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  memberId: number,
  kind: MessageKind,
  facts: Record<string, string>,
): Promise<number> {
  const row = { memberId, kind, facts, createdAt: clock.now() };
  const [message] = await tx.insert(messages).values(row).returning({ id: messages.id });
  const about = kind.startsWith("security.") ? "security" : kind.startsWith("withdraw.") ? "withdrawals" : null;
  if (about) await queueMessagePush(tx, clock.now(), { memberId, messageId: message!.id, kind: about });
  return message!.id;
}
