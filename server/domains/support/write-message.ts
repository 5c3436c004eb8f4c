import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { conversations, supportMessages } from "#db/schema/support.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { HOUR_MS } from "#shared/time.ts";

/** A member's messages an hour, pictures included. */
const MOST_AN_HOUR = 60;

type Parts = Pick<Deps, "clock" | "announce">;
/** What is written: text, or a picture by its name in the storage. */
type Written = { text: string; picture: null } | { text: ""; picture: string };

/** Adds a member's message, which waits for an answer from then on. */
export async function writeToSupport(tx: Tx, deps: Parts, memberId: number, written: Written) {
  await checkHour(tx, deps, memberId);
  const now = deps.clock.now();
  const waitingSince = sql<number>`coalesce(${conversations.waitingSince}, ${now})`;
  await tx
    .insert(conversations)
    .values({ memberId, waitingSince: now })
    .onConflictDoUpdate({ target: conversations.memberId, set: { waitingSince } });
  return add(tx, deps, { ...written, memberId, byOperator: false });
}

/** Adds the service's message, the answer to all that waited. */
export async function answerMember(tx: Tx, deps: Parts, memberId: number, written: Written) {
  await tx
    .insert(conversations)
    .values({ memberId })
    .onConflictDoUpdate({ target: conversations.memberId, set: { waitingSince: null } });
  return add(tx, deps, { ...written, memberId, byOperator: true });
}

/** Ends the waiting of a conversation that needs no answer. Returns whether it waited. */
export async function closeConversation(tx: Tx, memberId: number): Promise<boolean> {
  const waits = and(eq(conversations.memberId, memberId), gt(conversations.waitingSince, 0));
  const closed = await tx.update(conversations).set({ waitingSince: null }).where(waits).returning();
  return closed.length > 0;
}

async function add(
  tx: Tx,
  { clock, announce }: Parts,
  message: Omit<typeof supportMessages.$inferInsert, "id" | "createdAt">,
) {
  const [row] = await tx
    .insert(supportMessages)
    .values({ ...message, createdAt: clock.now() })
    .returning();
  await announce(tx, "support.changed", { memberId: message.memberId });
  return row!;
}

/** Refuses a member who has written much within the hour, until the oldest of it is an hour old. */
async function checkHour(read: Tx, { clock }: Pick<Deps, "clock">, memberId: number): Promise<void> {
  const now = clock.now();
  const recent = await read
    .select({ at: supportMessages.createdAt })
    .from(supportMessages)
    .where(
      and(
        eq(supportMessages.memberId, memberId),
        eq(supportMessages.byOperator, false),
        gt(supportMessages.createdAt, now - HOUR_MS),
      ),
    )
    .orderBy(asc(supportMessages.createdAt));
  if (recent.length < MOST_AN_HOUR) return;
  throw new Refusal("messages.many", { retryAfterS: Math.ceil((recent[0]!.at + HOUR_MS - now) / 1000) });
}
