import { ECDH } from "node:crypto";
import { and, desc, eq, inArray, ne, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { pushSubscriptions } from "#db/schema/push.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { MOST_PUSHED, type PushKind } from "#shared/contract/push.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { invalid } from "#shared/refusal.ts";
import { serviceOf } from "./hosts.ts";

const { sessionId: ofSession, memberId: ofMember, endpoint: at } = pushSubscriptions;

interface Wish {
  endpoint: string;
  p256dh: string;
  auth: string;
  kinds: PushKind[];
}

/** What a session is told about. */
export async function readKinds(read: Tx, sessionId: number): Promise<PushKind[]> {
  const [row] = await read.select().from(pushSubscriptions).where(eq(ofSession, sessionId));
  return row?.kinds ?? [];
}

/** Subscribes a session's device, in the place of what it had. Throws when its address or key is none. */
export async function subscribe(
  tx: Tx,
  deps: Pick<Deps, "clock" | "pushServices">,
  { sessionId, memberId }: Pick<Caller, "sessionId" | "memberId">,
  { locale, ...wish }: Wish & { locale: LocaleCode },
): Promise<void> {
  if (!serviceOf(deps, wish.endpoint)) throw invalid({ endpoint: "pushService" });
  if (!isPoint(wish.p256dh)) throw invalid({ p256dh: "text" });
  // A browser has one address: whoever used it before is told nothing there any more.
  await tx.delete(pushSubscriptions).where(or(eq(ofSession, sessionId), eq(at, wish.endpoint)));
  await tx.insert(pushSubscriptions).values({ sessionId, memberId, locale, createdAt: deps.clock.now(), ...wish });
  const others = await tx
    .select({ sessionId: ofSession })
    .from(pushSubscriptions)
    .where(and(eq(ofMember, memberId), ne(ofSession, sessionId)))
    .orderBy(desc(pushSubscriptions.createdAt), desc(ofSession));
  const oldest = others.slice(MOST_PUSHED - 1).map((one) => one.sessionId);
  if (oldest.length > 0) await tx.delete(pushSubscriptions).where(inArray(ofSession, oldest));
}

export async function unsubscribe(tx: Tx, sessionId: number): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(ofSession, sessionId));
}

/** Whether a browser's key is a point of the curve. */
function isPoint(key: string): boolean {
  try {
    return ECDH.convertKey(Buffer.from(key, "base64url"), "prime256v1").length > 0;
  } catch {
    return false;
  }
}
