import { and, between, eq, inArray, isNull, sql, type Column } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder, union } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { SECOND_MS } from "#shared/time.ts";
import { readVersion } from "./wallet.ts";
import { betKeys, bets, journalIndex, payouts, rounds, transfers } from "#db/schema/index.ts";

/** One change of a wallet. */
export interface JournalRow {
  version: number;
  kind: "bet" | "payout" | "transfer";
  /** The bet's or transfer's number; of a payout, its round's. */
  rowId: number;
  code: string;
  delta: number;
  balance: number;
  reason: string | null;
  at: number;
}

/** A member's wallet changes of the versions first..last, newest first, without a gap. */
export function readJournal(read: Tx, memberId: number, first: number, last: number): Promise<JournalRow[]> {
  return journal(read).execute({ member: memberId, first, last });
}

/** Versions of a wallet, the last one included; none when `last` is before `first`. */
export interface Versions {
  first: number;
  last: number;
}

/** The versions of a period, in seconds. A wallet's changes follow each other in time, so a few single reads find them. */
export async function versionsBetween(
  read: Tx,
  { memberId, from, to }: { memberId: number; from?: number | undefined; to?: number | undefined },
): Promise<Versions> {
  const count = await readVersion(read, memberId);
  return {
    first: from === undefined ? 1 : await firstSince(read, { memberId, count, since: from * SECOND_MS }),
    last: to === undefined ? count : (await firstSince(read, { memberId, count, since: to * SECOND_MS })) - 1,
  };
}

/** The first version at or after a time; `count + 1` when there is none. */
async function firstSince(
  read: Tx,
  { memberId, count, since }: { memberId: number; count: number; since: number },
): Promise<number> {
  let [low, high] = [1, count + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await readJournal(read, memberId, middle, middle);
    if (!row) throw new Error(`the wallet of member ${memberId} has no version ${middle} of ${count}`);
    if (row.at < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A member's bets that are not indexed yet. */
export async function readUnindexed(read: Tx, memberId: number): Promise<(typeof bets.$inferSelect)[]> {
  return (await unindexedBets(read).execute({ member: memberId })).map(({ bet }) => bet);
}

const unindexed = eq(betKeys.memberId, placeholder("member"));
const unindexedBets = prepared((read) =>
  read.select({ bet: bets }).from(betKeys).innerJoin(bets, eq(bets.id, betKeys.betId)).where(unindexed).prepare(),
);

const wanted = (version: Column) => between(version, placeholder("first"), placeholder("last"));
const text = <T extends string>(value: T) => sql<T>`${sql.raw(`'${value}'`)}`;

/** A payout is a win, or the stake of a round that is never drawn. */
const codeOfPayout = sql<string>`(select case when ${rounds.refundedAt} is null then 'payout' else 'stake-return' end
  from ${rounds} where ${rounds.id} = ${payouts.roundId})`;

/** Indexed rows, and bets and payouts that are not indexed yet. One statement reads both, so no row is missed. */
const journal = prepared((read) =>
  union(indexedRows(read), betRows(read), payoutRows(read))
    .orderBy(sql`1 desc`)
    .prepare(),
);

function indexedRows(read: Tx) {
  const { kind, rowId, memberId, version } = journalIndex;
  const isCredit = sql`${transfers.credit} = 'member:' || ${memberId}`;
  const moved = sql`case when ${isCredit} then ${transfers.amount} else -${transfers.amount} end`;
  return read
    .select({
      version,
      kind: sql<JournalRow["kind"]>`${kind}`,
      rowId,
      code: sql<string>`case ${kind} when 'bet' then 'stake' when 'payout' then ${codeOfPayout} else ${transfers.code} end`,
      delta: sql<number>`coalesce(-${bets.total}, ${payouts.amount}, ${moved})`,
      balance: sql<number>`coalesce(${bets.balanceAfter}, ${payouts.balanceAfter}, ${transfers.balanceAfter})`,
      reason: sql<string | null>`${transfers.reason}`,
      at: sql<number>`coalesce(${bets.createdAt}, ${payouts.createdAt}, ${transfers.createdAt})`,
    })
    .from(journalIndex)
    .leftJoin(bets, and(sql`${kind} = 'bet'`, eq(bets.id, rowId)))
    .leftJoin(payouts, and(sql`${kind} = 'payout'`, eq(payouts.roundId, rowId), eq(payouts.memberId, memberId)))
    .leftJoin(transfers, and(sql`${kind} = 'transfer'`, eq(transfers.id, rowId)))
    .where(and(eq(memberId, placeholder("member")), wanted(version)));
}

function betRows(read: Tx) {
  return read
    .select({
      version: bets.version,
      kind: text("bet"),
      rowId: bets.id,
      code: text("stake"),
      delta: sql<number>`-${bets.total}`,
      balance: bets.balanceAfter,
      reason: sql<string | null>`null`,
      at: bets.createdAt,
    })
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .where(and(unindexed, wanted(bets.version)));
}

function payoutRows(read: Tx) {
  // A list, not a join: with a join SQLite would scan all payouts.
  const open = read.select({ id: rounds.id }).from(rounds).where(isNull(rounds.indexedAt));
  return read
    .select({
      version: payouts.version,
      kind: text("payout"),
      rowId: payouts.roundId,
      code: codeOfPayout,
      delta: payouts.amount,
      balance: payouts.balanceAfter,
      reason: sql<string | null>`null`,
      at: payouts.createdAt,
    })
    .from(payouts)
    .where(and(inArray(payouts.roundId, open), eq(payouts.memberId, placeholder("member")), wanted(payouts.version)));
}
