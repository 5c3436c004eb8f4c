import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { pushMessages, pushSubscriptions } from "#db/schema/push.ts";
import type { PushKind } from "#shared/contract/push.ts";
import { DAY_MS } from "#shared/time.ts";

/** How long push services keep a message for a device that is off, in ms. Results last as long as a round. */
const LIFE: Record<Exclude<PushKind, "results">, number> = {
  withdrawals: 3 * DAY_MS,
  security: 3 * DAY_MS,
  notices: DAY_MS,
  videos: DAY_MS,
};

/** Queues a message to a member for their devices that want its kind, in the transaction that wrote it. */
export async function queueMessagePush(
  tx: Tx,
  now: number,
  { memberId, messageId, kind }: { memberId: number; messageId: number; kind: "withdrawals" | "security" },
): Promise<void> {
  const devices = await tx.select().from(pushSubscriptions).where(eq(pushSubscriptions.memberId, memberId));
  const rows = devices
    .filter(({ kinds }) => kinds.includes(kind))
    .map(({ sessionId }) => ({
      kind,
      about: messageId,
      sessionId,
      memberId,
      dueAt: now,
      expiresAt: now + LIFE[kind],
    }));
  if (rows.length > 0) await tx.insert(pushMessages).values(rows);
}

/** Queues news for everybody who wants it, in the transaction that published it: one row, from which others are made. */
export async function queuePushToAll(tx: Tx, now: number, kind: "notices" | "videos", about: number): Promise<void> {
  const [anyone] = await tx.select({ id: pushSubscriptions.sessionId }).from(pushSubscriptions).limit(1);
  if (anyone) await tx.insert(pushMessages).values({ kind, about, dueAt: now, expiresAt: now + LIFE[kind] });
}
