import { and, eq, exists, gt, isNull, lt, lte, ne, notExists, or, sql, type SQL } from "drizzle-orm";
import type { Column, Table } from "drizzle-orm";
import type { Db, Tx } from "#db/db.ts";
import {
  attempts,
  deposits,
  listingMarks,
  outbox,
  passwordResets,
  paymentReturns,
  pushMessages,
  pushSubscriptions,
  rateWindows,
  replays,
  sandboxCheckouts,
  supportMessages,
  sessions,
  spentChallenges,
  ssoTickets,
  wallets,
  watchPlaces,
} from "#db/schema/index.ts";
import { DAY_MS, HOUR_MS, monthOf } from "#shared/time.ts";

/** Rows that one transaction deletes: nobody waits long for it. */
const BATCH = 500;

/** What is kept for a time and no longer. */
interface Kept {
  table: Table;
  /** The columns that name a row. */
  key: Column[];
  keptMs: number;
  /** Which rows are older than that. */
  isOld(before: number, read: Tx): SQL | undefined;
}

/**
 * How long each kind of row is kept. What the ledger, the public log or the audit needs is in none of these tables, but for
 * unpaid orders: those count under a wallet's limits until it has begun a later month.
 */
export const KEPT: Record<string, Kept> = {
  /** Every process delivered them long ago; `deleteOutdated` is told which. */
  outbox: {
    table: outbox,
    key: [outbox.id],
    keptMs: HOUR_MS,
    isOld: (before) => lt(outbox.createdAt, before),
  },
  /** Rows of stopped processes; a running one deletes its own. */
  rate_windows: {
    table: rateWindows,
    key: [rateWindows.startedAt, rateWindows.subject, rateWindows.process],
    keptMs: HOUR_MS,
    isOld: (before) => lt(rateWindows.startedAt, before),
  },
  replays: {
    table: replays,
    key: [replays.memberId, replays.path, replays.key],
    keptMs: DAY_MS,
    isOld: (before) => lt(replays.createdAt, before),
  },
  attempts: {
    table: attempts,
    key: [attempts.kind, attempts.subject],
    keptMs: DAY_MS,
    isOld: (before) => and(ne(attempts.kind, "pin"), lt(attempts.lastAt, before)),
  },
  /** A passcode's lock doubles up to a day, so what it counts from outlives that. */
  passcode_attempts: {
    table: attempts,
    key: [attempts.kind, attempts.subject],
    keptMs: 30 * DAY_MS,
    isOld: (before) => and(eq(attempts.kind, "pin"), lt(attempts.lastAt, before)),
  },
  /** A server whose clock is behind may still accept a ticket that has expired here. */
  sso_tickets: {
    table: ssoTickets,
    key: [ssoTickets.jtiHash],
    keptMs: HOUR_MS,
    isOld: (before) => lt(ssoTickets.expiresAt, before),
  },
  /** As a ticket's. */
  spent_challenges: {
    table: spentChallenges,
    key: [spentChallenges.hash],
    keptMs: HOUR_MS,
    isOld: (before) => lt(spentChallenges.expiresAt, before),
  },
  /** A member whose secret expired asks the operator for another. */
  password_resets: {
    table: passwordResets,
    key: [passwordResets.memberId],
    keptMs: HOUR_MS,
    isOld: (before) => lt(passwordResets.expiresAt, before),
  },
  /** For 30 days its token answers that the session was ended, and an idle one may come back. */
  sessions: {
    table: sessions,
    key: [sessions.id],
    keptMs: 60 * DAY_MS,
    isOld: (before) => and(lt(sessions.lastSeenAt, before), or(isNull(sessions.endedAt), lt(sessions.endedAt, before))),
  },
  /** Where members stopped watching: their history, which they may also clear. */
  watch_places: {
    table: watchPlaces,
    key: [watchPlaces.memberId, watchPlaces.videoId],
    keptMs: 365 * DAY_MS,
    isOld: (before) => lt(watchPlaces.updatedAt, before),
  },
  /** The same for listings. What a member saved stays. */
  listing_marks: {
    table: listingMarks,
    key: [listingMarks.memberId, listingMarks.kind, listingMarks.listingId],
    keptMs: 365 * DAY_MS,
    isOld: (before) => and(eq(listingMarks.kind, "opened"), lt(listingMarks.markedAt, before)),
  },
  /** What a member and the customer service wrote each other. Their pictures go with the sweep after the next. */
  support_messages: {
    table: supportMessages,
    key: [supportMessages.id],
    keptMs: 400 * DAY_MS,
    isOld: (before) => lt(supportMessages.createdAt, before),
  },
  /** Devices that are told nothing any more. */
  push_subscriptions: {
    table: pushSubscriptions,
    key: [pushSubscriptions.sessionId],
    keptMs: 0,
    isOld: (_before, read) =>
      notExists(
        read
          .select({ one: sql`1` })
          .from(sessions)
          .where(and(eq(sessions.id, pushSubscriptions.sessionId), isNull(sessions.endedAt))),
      ),
  },
  /** Web Push messages that no process could send in time. */
  push_messages: {
    table: pushMessages,
    key: [pushMessages.id],
    keptMs: 0,
    isOld: (before) => lt(pushMessages.expiresAt, before),
  },
  /** Orders that lapsed and never met a payment, not even one that was invalid. A late one is still credited before. */
  deposits: {
    table: deposits,
    key: [deposits.id],
    keptMs: 400 * DAY_MS,
    isOld: (before, read) =>
      and(
        eq(deposits.status, "failed"),
        lt(deposits.askAt, before),
        lt(deposits.createdAt, before),
        isNull(deposits.received),
        isNull(deposits.paidAt),
        notExists(
          read
            .select({ one: sql`1` })
            .from(paymentReturns)
            .where(eq(paymentReturns.depositId, deposits.id)),
        ),
        // A week may reach into the next month.
        exists(
          read
            .select({ one: sql`1` })
            .from(wallets)
            .where(and(eq(wallets.memberId, deposits.memberId), gt(wallets.month, monthOf(before) + 1))),
        ),
      ),
  },
  /** The sandbox's side of such an order. */
  sandbox_checkouts: {
    table: sandboxCheckouts,
    key: [sandboxCheckouts.orderNo],
    keptMs: 400 * DAY_MS,
    isOld: (_before, read) =>
      notExists(
        read
          .select({ one: sql`1` })
          .from(deposits)
          .where(eq(deposits.orderNo, sandboxCheckouts.orderNo)),
      ),
  },
};

/**
 * Deletes what was kept for its time, a batch a transaction; of the outbox no row after the one that all processes have
 * heard. Any process may do it at any time. A kind that cannot be deleted holds up no other.
 */
export async function deleteOutdated(db: Db, now: number, heard: number): Promise<void> {
  await allOf(Object.values(KEPT).map((kept) => () => deleteKind(db, kept, now - kept.keptMs, heard)));
}

/** Does one work after the other, whichever fail. Throws the first error at the end. */
export async function allOf(works: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

async function deleteKind(db: Db, kept: Kept, before: number, heard: number): Promise<void> {
  const mayGo = kept.table === outbox ? lte(outbox.id, heard) : undefined;
  while ((await db.transact((tx) => deleteBatch(tx, kept, before, mayGo))) === BATCH);
}

async function deleteBatch(tx: Tx, { table, key, isOld }: Kept, before: number, mayGo?: SQL): Promise<number> {
  const names = sql.join(key, sql`, `);
  const old = sql`select ${names} from ${table} where ${and(isOld(before, tx), mayGo)} limit ${BATCH}`;
  const gone = await tx
    .delete(table as typeof outbox)
    .where(sql`(${names}) in (${old})`)
    .returning({ one: sql`1` });
  return gone.length;
}
