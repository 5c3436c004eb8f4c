import { bytesToHex } from "@noble/hashes/utils.js";
import { and, asc, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { statePair } from "./state-wheel.ts";
import { hashOf, type PrizeTable } from "./prize-table.ts";
import type { WheelSeeds } from "./seeds.ts";

type Row = typeof wheelPairs.$inferSelect;

/** A pair whose words are there. */
export interface Pair extends Row {
  words: string;
}

/** A member's unrevealed pairs: the one in use, and the one whose commit waits for words. */
export interface Pairs {
  open: Pair | undefined;
  next: Row | undefined;
}

type Needs = Pick<Deps, "clock" | "announce">;

export async function readPairs(read: Tx, memberId: number): Promise<Pairs> {
  const rows = await read
    .select()
    .from(wheelPairs)
    .where(and(eq(wheelPairs.memberId, memberId), isNull(wheelPairs.revealedAt)))
    .orderBy(asc(wheelPairs.number));
  return { open: rows.find(hasWords), next: rows.find((row) => !hasWords(row)) };
}

const hasWords = (row: Row): row is Pair => row.words !== null;

/** The member's next pair, made if there is none. It is made before its words: the server cannot fit a seed to them. */
export async function nextPair(tx: Tx, deps: Needs, seeds: WheelSeeds, memberId: number): Promise<Row> {
  const { next } = await readPairs(tx, memberId);
  if (!next) return makeNext(tx, deps, seeds, memberId);
  await statePair(tx, deps, next);
  return next;
}

async function makeNext(tx: Tx, deps: Needs, seeds: WheelSeeds, memberId: number): Promise<Row> {
  const [last] = await tx
    .select()
    .from(wheelPairs)
    .where(eq(wheelPairs.memberId, memberId))
    .orderBy(desc(wheelPairs.number))
    .limit(1);
  // A migration ended this pair, and could not derive its seed.
  if (last && last.wordsBy === null) await announceSeed(tx, deps, seeds, last);
  const number = last ? last.number + 1 : 0;
  const row = { memberId, number, commit: seeds.commitOf(memberId, number), createdAt: deps.clock.now() };
  const [next] = await tx.insert(wheelPairs).values(row).returning();
  await statePair(tx, deps, next!);
  return next!;
}

export interface Begun {
  words: string;
  wordsBy: "member" | "house";
  /** What all spins of the pair are drawn from. */
  table: PrizeTable;
}

/** Gives the next pair its words and its table, reveals the pair in use, and makes the commit that follows. */
export async function beginPair(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  memberId: number,
  { words, wordsBy, table }: Begun,
): Promise<Pair> {
  const { open } = await readPairs(tx, memberId);
  const next = await nextPair(tx, deps, seeds, memberId);
  if (open) await reveal(tx, deps, seeds, open);
  const [pair] = await tx
    .update(wheelPairs)
    .set({ words, wordsBy, tableId: table.id, tableHash: hashOf(table) })
    .where(and(eq(wheelPairs.id, next.id), isNull(wheelPairs.words)))
    .returning();
  if (!pair) throw new Error(`pair ${next.id} got its words concurrently`);
  await makeNext(tx, deps, seeds, memberId);
  return { ...pair, words };
}

/** Ends a pair. Its spins stay checkable: the seed of a pair with spins is stored in the member's messages. */
async function reveal(tx: Tx, deps: Needs, seeds: WheelSeeds, { id }: Pair): Promise<void> {
  const [over] = await tx
    .update(wheelPairs)
    .set({ revealedAt: deps.clock.now() })
    .where(and(eq(wheelPairs.id, id), isNotNull(wheelPairs.words), isNull(wheelPairs.revealedAt)))
    .returning();
  if (!over) throw new Error(`pair ${id} was revealed concurrently`);
  await announceSeed(tx, deps, seeds, over);
}

async function announceSeed(tx: Tx, deps: Needs, seeds: WheelSeeds, pair: Row): Promise<void> {
  if (pair.nonce === 0) return;
  const seed = bytesToHex(seeds.reveal(pair.memberId, pair.number));
  const facts = { number: String(pair.number + 1), pair: String(pair.id), spins: String(pair.nonce), seed };
  await addMessage(tx, deps, pair.memberId, "wheel.revealed", facts);
}
