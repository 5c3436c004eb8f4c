import { and, between, eq, gte, inArray, isNull, min } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
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

type Bet = typeof bets.$inferSelect;
type Payout = typeof payouts.$inferSelect;

const fromBet = (bet: Bet): JournalRow => ({
  version: bet.version,
  kind: "bet",
  rowId: bet.id,
  code: "stake",
  delta: -bet.total,
  balance: bet.balanceAfter,
  reason: null,
  at: bet.createdAt,
});

const fromPayout = (payout: Payout): JournalRow => ({
  version: payout.version,
  kind: "payout",
  rowId: payout.roundId,
  code: "payout",
  delta: payout.amount,
  balance: payout.balanceAfter,
  reason: null,
  at: payout.createdAt,
});

/**
 * A member's wallet changes of the versions first..last, newest first, without
 * a gap. What is not indexed yet is found through the keys; it is read first,
 * so that nothing can slip from one place to the other unseen.
 */
export async function readJournal(read: Tx, memberId: number, first: number, last: number): Promise<JournalRow[]> {
  const rows = new Map<number, JournalRow>();
  const tail = await readUnindexed(read, memberId);
  for (const row of [...tail.bets.map(fromBet), ...tail.payouts.map(fromPayout)]) rows.set(row.version, row);
  for (const row of await readIndexed(read, memberId, first, last)) rows.set(row.version, row);
  return [...rows.values()]
    .filter(({ version }) => version >= first && version <= last)
    .sort((a, b) => b.version - a.version);
}

/** A member's bets of rounds that are not indexed yet, and what those have won. */
export async function readUnindexed(read: Tx, memberId: number): Promise<{ bets: Bet[]; payouts: Payout[] }> {
  const [oldest] = await read
    .select({ fromBet: min(rounds.fromBet) })
    .from(rounds)
    .where(isNull(rounds.indexedAt));
  if (!oldest || oldest.fromBet === null) return { bets: [], payouts: [] };
  const recent = await read
    .select({ bet: bets })
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .where(and(eq(betKeys.memberId, memberId), gte(betKeys.betId, oldest.fromBet)));
  const roundIds = [...new Set(recent.map(({ bet }) => bet.roundId))];
  const won = roundIds.length
    ? await read
        .select()
        .from(payouts)
        .where(and(inArray(payouts.roundId, roundIds), eq(payouts.memberId, memberId)))
    : [];
  return { bets: recent.map(({ bet }) => bet), payouts: won };
}

async function readIndexed(read: Tx, memberId: number, first: number, last: number): Promise<JournalRow[]> {
  const index = await read
    .select()
    .from(journalIndex)
    .where(and(eq(journalIndex.memberId, memberId), between(journalIndex.version, first, last)));
  const of = (kind: JournalRow["kind"]) => index.filter((row) => row.kind === kind).map((row) => row.rowId);
  const [betIds, roundIds, transferIds] = [of("bet"), of("payout"), of("transfer")];
  const found: JournalRow[] = [];
  if (betIds.length) found.push(...(await read.select().from(bets).where(inArray(bets.id, betIds))).map(fromBet));
  if (roundIds.length) {
    const own = and(inArray(payouts.roundId, roundIds), eq(payouts.memberId, memberId));
    found.push(...(await read.select().from(payouts).where(own)).map(fromPayout));
  }
  if (transferIds.length) {
    const moved = await read.select().from(transfers).where(inArray(transfers.id, transferIds));
    found.push(...moved.map((row) => fromTransfer(row, memberId)));
  }
  return found;
}

function fromTransfer(row: typeof transfers.$inferSelect, memberId: number): JournalRow {
  return {
    version: row.version!,
    kind: "transfer",
    rowId: row.id,
    code: row.code,
    delta: row.credit === `member:${memberId}` ? row.amount : -row.amount,
    balance: row.balanceAfter!,
    reason: row.reason,
    at: row.createdAt,
  };
}
