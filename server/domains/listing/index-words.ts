import { and, asc, eq, gt, notExists, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/db.ts";
import { listings, listingWords } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocalText } from "#shared/locales.ts";
import { endingsOf } from "./words.ts";

/** Listings per transaction and rows per statement: a transaction has a time limit. */
const FEW = 20;
const PIECE = 1_000;

/** Indexes every listing that has no words yet, a few at a time. After a crash, the next call finds the rest. */
export async function indexWords(deps: Pick<Deps, "announce"> & { db: Db }): Promise<void> {
  const { db } = deps;
  let last = 0;
  for (;;) {
    const rows = await findWordless(db.read, last);
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    await db.transact(async (tx) => {
      await insertWords(tx, rows);
      await deps.announce(tx, "listings.changed", {});
    });
  }
}

async function insertWords(tx: Tx, rows: readonly { id: number; name: LocalText }[]): Promise<void> {
  const words = rows.flatMap(({ id, name }) => endingsOf(name).map((word) => ({ word, listingId: id })));
  for (let from = 0; from < words.length; from += PIECE) {
    await tx
      .insert(listingWords)
      .values(words.slice(from, from + PIECE))
      .onConflictDoNothing();
  }
}

function findWordless(read: Tx, last: number) {
  const itsWords = read
    .select({ one: sql`1` })
    .from(listingWords)
    .where(eq(listingWords.listingId, listings.id));
  return read
    .select({ id: listings.id, name: listings.name })
    .from(listings)
    .where(and(gt(listings.id, last), notExists(itsWords)))
    .orderBy(asc(listings.id))
    .limit(FEW);
}
