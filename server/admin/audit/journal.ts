import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betKeys, bets, journalIndex, payouts, rounds, transfers, wallets } from "#db/schema/index.ts";
import type { Findings } from "./findings.ts";
import { BEFORE_ALL, inPages, isAfter } from "./pages.ts";

const PAGE = 5_000;
const add = (counts: Map<number, number>, memberId: number) => counts.set(memberId, (counts.get(memberId) ?? 0) + 1);

/** Checks that each member's money log has every change of the wallet once, in the index or in what is not indexed yet. */
export async function auditJournal(read: Tx, found: Findings): Promise<void> {
  const shown = await countIndexed(read, found);
  for await (const memberId of unindexed(read)) add(shown, memberId);
  const page = (after: number, limit: number) =>
    read
      .select({ id: wallets.memberId, version: wallets.version })
      .from(wallets)
      .where(gt(wallets.memberId, after))
      .orderBy(asc(wallets.memberId))
      .limit(limit);
  for await (const { id, version } of inPages(page)) {
    const count = shown.get(id) ?? 0;
    found.check(
      count === version,
      () => `money log of member ${id}: it shows ${count} changes, the wallet has ${version}`,
    );
  }
}

/** Compares every row of the index with the row that it names. Returns how many each member has. */
async function countIndexed(read: Tx, found: Findings): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const { memberId, version, kind, rowId } = journalIndex;
  for (let last = { memberId: BEFORE_ALL, version: 0 }; ;) {
    const rows = await read
      .select({
        memberId,
        version,
        kind,
        rowId,
        bet: { memberId: bets.memberId, version: bets.version },
        payout: { memberId: payouts.memberId, version: payouts.version },
        transfer: { memberId: transfers.memberId, version: transfers.version },
      })
      .from(journalIndex)
      .leftJoin(bets, and(eq(kind, "bet"), eq(bets.id, rowId)))
      .leftJoin(payouts, and(eq(kind, "payout"), eq(payouts.roundId, rowId), eq(payouts.memberId, memberId)))
      .leftJoin(transfers, and(eq(kind, "transfer"), eq(transfers.id, rowId)))
      .where(isAfter([memberId, version], [last.memberId, last.version]))
      .orderBy(asc(memberId), asc(version))
      .limit(PAGE);
    for (const row of rows) {
      const named = row[row.kind];
      const isSame = named?.memberId === row.memberId && named.version === row.version;
      const what = `${row.kind} ${row.rowId}`;
      found.check(isSame, () => `money log of member ${row.memberId}: change ${row.version} is not that of ${what}`);
      if (isSame) add(counts, row.memberId);
    }
    if (rows.length < PAGE) return counts;
    last = rows.at(-1)!;
  }
}

/** The members of bets and payouts that the index does not have yet: those of rounds that are under way. */
async function* unindexed(read: Tx): AsyncGenerator<number> {
  const indexed = (of: typeof bets | typeof payouts) =>
    and(eq(journalIndex.memberId, of.memberId), eq(journalIndex.version, of.version));
  const open = await read
    .select({ memberId: bets.memberId })
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .leftJoin(journalIndex, indexed(bets))
    .where(isNull(journalIndex.memberId));
  const won = await read
    .select({ memberId: payouts.memberId })
    .from(rounds)
    .innerJoin(payouts, eq(payouts.roundId, rounds.id))
    .leftJoin(journalIndex, indexed(payouts))
    .where(and(isNull(rounds.indexedAt), isNull(journalIndex.memberId)));
  for (const { memberId } of [...open, ...won]) yield memberId;
}
