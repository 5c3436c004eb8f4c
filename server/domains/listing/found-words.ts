import { and, asc, eq, gt, gte, lt, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { listingWords } from "#db/schema/listing.ts";
import type { Pause } from "./search-cache.ts";

/** Rows that are read in one go. */
const PIECE = 2_000;
/** After every text that begins with a word. */
const LAST = "\u{10ffff}";

/** The listings in whose names each of the words stands, or begins with it, or has it inside. */
export async function findByWords(read: Tx, words: readonly string[], pause: Pause): Promise<Set<number>> {
  // The longest is the rarest, as a rule.
  const [first, ...others] = words.toSorted((a, b) => b.length - a.length);
  let found = await findByWord(read, first!, pause);
  for (const word of others) {
    if (found.size === 0) break;
    const also = await findByWord(read, word, pause);
    found = new Set([...found].filter((id) => also.has(id)));
  }
  return found;
}

async function findByWord(read: Tx, beginning: string, pause: Pause): Promise<Set<number>> {
  const found = new Set<number>();
  let rows = await wordsFrom(read, beginning, null);
  for (;;) {
    for (const { listingId } of rows) found.add(listingId);
    if (rows.length < PIECE) return found;
    await pause();
    rows = await wordsFrom(read, beginning, rows.at(-1)!);
  }
}

function wordsFrom(read: Tx, beginning: string, after: { word: string; listingId: number } | null) {
  const { word, listingId } = listingWords;
  const from = after
    ? or(and(eq(word, after.word), gt(listingId, after.listingId)), gt(word, after.word))
    : gte(word, beginning);
  return read
    .select({ word, listingId })
    .from(listingWords)
    .where(and(gte(word, after?.word ?? beginning), lt(word, beginning + LAST), from))
    .orderBy(asc(word), asc(listingId))
    .limit(PIECE);
}
