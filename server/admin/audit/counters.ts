import { and, asc, count, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments, listings, members, wallets } from "#db/schema/index.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

/** Compares counters with the rows that they count: comments and hearts, and each member's one wallet. */
export async function auditCounters(read: Tx, found: Findings): Promise<void> {
  await auditHearts(read, found);
  const without = await read
    .select({ id: members.id })
    .from(members)
    .leftJoin(wallets, eq(wallets.memberId, members.id))
    .where(isNull(wallets.memberId));
  for (const { id } of without) found.check(false, () => `member ${id} has no wallet`);
  const nobodys = await read
    .select({ id: wallets.memberId })
    .from(wallets)
    .leftJoin(members, eq(members.id, wallets.memberId))
    .where(isNull(members.id));
  for (const { id } of nobodys) found.check(false, () => `wallet of member ${id}: there is no such member`);
}

async function auditHearts(read: Tx, found: Findings): Promise<void> {
  const page = (after: number, limit: number) =>
    read.select().from(listings).where(gt(listings.id, after)).orderBy(asc(listings.id)).limit(limit);
  for await (const rows of pagesOf(page)) {
    const ids = rows.map(({ id }) => id);
    const { listingId, hearts, shown } = comments;
    const counted = await read
      .select({ listingId, count: count(), sum: sql<number | string>`sum(${hearts})` })
      .from(comments)
      .where(and(inArray(listingId, ids), eq(shown, true)))
      .groupBy(listingId);
    const byListing = new Map(counted.map((one) => [one.listingId, one]));
    for (const { id, commentCount, heartsSum, heartsMean } of rows) {
      const due = byListing.get(id);
      const [many, sum] = [due?.count ?? 0, Number(due?.sum ?? 0)];
      const mean = many === 0 ? 0 : Math.floor((sum * 200 + many) / (many * 2));
      const [says, is] = [[commentCount, heartsSum, heartsMean].join(), [many, sum, mean].join()];
      found.check(
        says === is,
        () => `listing ${id}: its counters of comments, hearts and their mean are ${says}, the comments give ${is}`,
      );
    }
  }
}
