import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, type SQL } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { bets } from "#db/schema/bets.ts";
import { rounds } from "#db/schema/lottery.ts";
import { pushMessages, pushSubscriptions } from "#db/schema/push.ts";
import { sessions } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";

/** Devices for which one transaction makes rows of news to everybody. */
const PAGE = 200;
/** The most messages that a process sends at once. */
export const MOST_AT_ONCE = 20;
/** Results wait so long, in ms, for the processes that have sockets of their members to withdraw them. */
export const RESULT_WAIT_MS = 3_000;
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 5_000;

export type Queued = typeof pushMessages.$inferSelect;
type Spreads = Queued & { sessionId: null };

/** Whether there is anything to do now. */
export async function isAnythingDue(read: Tx, now: number): Promise<boolean> {
  const { id, dueAt } = pushMessages;
  return (await read.select({ id }).from(pushMessages).where(lte(dueAt, now)).limit(1)).length > 0;
}

/** Makes rows for the next devices that news to everybody is for. Returns whether there may be more. */
export async function spreadNext(tx: Tx, deps: Pick<Deps, "clock" | "announce">): Promise<boolean> {
  const { id, spreadTo } = pushMessages;
  const [news] = await tx.select().from(pushMessages).where(isNull(pushMessages.sessionId)).orderBy(id).limit(1);
  if (!news) return false;
  const page = await tx
    .select()
    .from(pushSubscriptions)
    .where(gt(pushSubscriptions.sessionId, news.spreadTo))
    .orderBy(asc(pushSubscriptions.sessionId))
    .limit(PAGE);
  // Only one process makes the rows of a page.
  const isOurs = and(eq(id, news.id), eq(spreadTo, news.spreadTo));
  const next = page.length === PAGE ? { spreadTo: page.at(-1)!.sessionId } : null;
  const taken = next
    ? await tx.update(pushMessages).set(next).where(isOurs).returning({ id })
    : await tx.delete(pushMessages).where(isOurs).returning({ id });
  if (taken.length > 0) await makeRows(tx, deps, news as Spreads, page);
  return true;
}

async function makeRows(
  tx: Tx,
  { clock, announce }: Pick<Deps, "clock" | "announce">,
  { kind, about, expiresAt }: Spreads,
  page: (typeof pushSubscriptions.$inferSelect)[],
): Promise<void> {
  const wanting = page.filter(({ kinds }) => kinds.includes(kind));
  const isResult = kind === "results";
  const bettors = isResult ? await bettorsOf(tx, about, new Set(wanting.map(({ memberId }) => memberId))) : null;
  const dueAt = clock.now() + (isResult ? RESULT_WAIT_MS : 0);
  const rows = wanting
    .filter(({ memberId }) => bettors?.has(memberId) ?? true)
    .map(({ sessionId, memberId }) => ({ kind, about, sessionId, memberId, dueAt, expiresAt }));
  if (rows.length === 0) return;
  await tx.insert(pushMessages).values(rows);
  if (isResult) await announce(tx, "results.queued", { roundId: about });
}

/** Which of these members have a bet on a round. */
async function bettorsOf(tx: Tx, roundId: number, members: Set<number>): Promise<Set<number>> {
  if (members.size === 0) return members;
  const [round] = await tx
    .select({ from: rounds.fromBet, to: rounds.toBet })
    .from(rounds)
    .where(eq(rounds.id, roundId));
  const { id, memberId } = bets;
  const rows = await tx
    .selectDistinct({ memberId })
    .from(bets)
    .where(
      and(
        // Its bets lie between these two rows, with those of other games.
        gt(id, round!.from - 1),
        lte(id, round!.to!),
        eq(bets.roundId, roundId),
        inArray(memberId, [...members]),
      ),
    );
  return new Set(rows.map((row) => row.memberId));
}

/** Withdraws the queued results of a round for members who saw them come, over their open sockets. */
export async function withdrawResults(tx: Tx, roundId: number, isHere: (memberId: number) => boolean): Promise<void> {
  const { id, memberId, kind, about, sessionId } = pushMessages;
  const ofRound = and(eq(kind, "results"), eq(about, roundId), isNotNull(sessionId));
  const seen = (await tx.select({ id, memberId }).from(pushMessages).where(ofRound))
    .filter((row) => isHere(row.memberId!))
    .map((row) => row.id);
  if (seen.length > 0) await tx.delete(pushMessages).where(inArray(id, seen));
}

/** A message that was taken from the queue, and the device that it goes to. */
export interface Claimed {
  message: Queued;
  subscription: typeof pushSubscriptions.$inferSelect;
}

/**
 * Takes messages from the queue. Only the process whose delete takes a row sends it. If it is killed before it did, nobody
 * sends it: a message comes once, or never. Those for devices whose session does not run any more (`isRunning`) are dropped.
 */
export async function claim(tx: Tx, now: number, isRunning: SQL | undefined): Promise<Claimed[]> {
  const { id, dueAt, sessionId } = pushMessages;
  const due = await tx
    .select({ id })
    .from(pushMessages)
    .where(and(lte(dueAt, now), isNotNull(sessionId)))
    .orderBy(dueAt, id)
    .limit(MOST_AT_ONCE);
  if (due.length === 0) return [];
  const taken = await tx
    .delete(pushMessages)
    .where(
      inArray(
        id,
        due.map((row) => row.id),
      ),
    )
    .returning();
  return withDevices(
    tx,
    taken.filter(({ expiresAt }) => expiresAt > now),
    isRunning,
  );
}

async function withDevices(tx: Tx, taken: Queued[], isRunning: SQL | undefined): Promise<Claimed[]> {
  if (taken.length === 0) return [];
  const isWanted = inArray(
    pushSubscriptions.sessionId,
    taken.map((row) => row.sessionId!),
  );
  const devices = await tx
    .select({ subscription: pushSubscriptions })
    .from(pushSubscriptions)
    .innerJoin(sessions, and(eq(sessions.id, pushSubscriptions.sessionId), isRunning))
    .where(isWanted);
  const bySession = new Map(devices.map(({ subscription }) => [subscription.sessionId, subscription]));
  return taken.flatMap((message) => {
    const subscription = bySession.get(message.sessionId!);
    return subscription ? [{ message, subscription }] : [];
  });
}

/** Puts back a message that a push service did not take now, unless it was tried often or would come too late. */
export async function putBack(tx: Tx, { id: _id, ...message }: Queued, now: number, afterMs: number): Promise<void> {
  const tries = message.tries + 1;
  const dueAt = now + Math.max(afterMs, FIRST_PAUSE_MS * 2 ** message.tries);
  if (tries < MOST_TRIES && dueAt < message.expiresAt)
    await tx.insert(pushMessages).values({ ...message, tries, dueAt });
}

/** Forgets a device that its push service no longer knows, unless it has subscribed anew since. */
export async function dropSubscription(tx: Tx, { sessionId, endpoint }: Claimed["subscription"]): Promise<void> {
  const isSame = and(eq(pushSubscriptions.sessionId, sessionId), eq(pushSubscriptions.endpoint, endpoint));
  await tx.delete(pushSubscriptions).where(isSame);
}
