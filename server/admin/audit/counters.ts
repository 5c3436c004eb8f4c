import { and, asc, count, eq, gt, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments, listings, members, wallets } from "#db/schema/index.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

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
  const { id, commentCount, heartsSum, heartsMean } = listings;
  const { listingId, hearts, shown } = comments;
  const page = (after: number, limit: number) =>
    read
      .select({
        id,
        commentCount,
        heartsSum,
        heartsMean,
        many: count(comments.id),
        sum: sql<number | string>`sum(${hearts})`,
      })
      .from(listings)
      .leftJoin(comments, and(eq(listingId, id), eq(shown, true)))
      .where(gt(id, after))
      .groupBy(id)
      .orderBy(asc(id))
      .limit(limit);
  for await (const { many, ...listing } of inPages(page)) {
    const sum = Number(listing.sum);
    const mean = many === 0 ? 0 : Math.floor((sum * 200 + many) / (many * 2));
    const [says, is] = [[listing.commentCount, listing.heartsSum, listing.heartsMean].join(), [many, sum, mean].join()];
    found.check(
      says === is,
      () =>
        `listing ${listing.id}: its counters of comments, hearts and their mean are ${says}, the comments give ${is}`,
    );
  }
}
