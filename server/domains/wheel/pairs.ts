import { bytesToHex } from "@noble/hashes/utils.js";
import { and, asc, eq, isNotNull, isNull, max } from "drizzle-orm";
import { insertRows, isOneOf, isOneOfNamed, listed } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { statePairs } from "./state-wheel.ts";
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
  return (await readPairsOf(read, [memberId])).get(memberId)!;
}

const unrevealed = prepared((read) =>
  read
    .select()
    .from(wheelPairs)
    .where(and(isOneOfNamed(wheelPairs.memberId, "members"), isNull(wheelPairs.revealedAt)))
    .orderBy(asc(wheelPairs.number))
    .prepare(),
);

/** The same for several members. */
export async function readPairsOf(read: Tx, memberIds: readonly number[]): Promise<Map<number, Pairs>> {
  const rows = await unrevealed(read).execute({ members: listed(memberIds) });
  const found = new Map<number, Pairs>(memberIds.map((id) => [id, { open: undefined, next: undefined }]));
  for (const row of rows) {
    const pairs = found.get(row.memberId)!;
    if (hasWords(row)) pairs.open ??= row;
    else pairs.next ??= row;
  }
  return found;
}

const hasWords = (row: Row): row is Pair => row.words !== null;

/** The member's next pair, made if there is none. It is made before its words: the server cannot fit a seed to them. */
export async function nextPair(tx: Tx, deps: Needs, seeds: WheelSeeds, memberId: number): Promise<Row> {
  const { next } = await readPairs(tx, memberId);
  if (!next) return (await makeNext(tx, deps, seeds, [memberId])).get(memberId)!;
  await statePairs(tx, deps, [next]);
  return next;
}

/** Makes the next pair of members who have none. */
async function makeNext(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  memberIds: readonly number[],
): Promise<Map<number, Row>> {
  if (memberIds.length === 0) return new Map();
  const last = await readLast(tx, memberIds);
  // A migration ended these pairs, and could not derive their seeds.
  for (const pair of last.values()) if (pair.wordsBy === null) await announceSeed(tx, deps, seeds, pair);
  const createdAt = deps.clock.now();
  const rows = memberIds.map((memberId) => {
    const number = (last.get(memberId)?.number ?? -1) + 1;
    return { ...seeds.begin(memberId, number), createdAt };
  });
  const made = await insertRows(tx, wheelPairs, rows).returning();
  await statePairs(tx, deps, made);
  return new Map(made.map((pair) => [pair.memberId, pair]));
}

async function readLast(tx: Tx, memberIds: readonly number[]): Promise<Map<number, Row>> {
  const { memberId, number } = wheelPairs;
  const newest = tx
    .select({ memberId, last: max(number).as("last") })
    .from(wheelPairs)
    .where(isOneOf(memberId, memberIds))
    .groupBy(memberId)
    .as("newest");
  const rows = await tx
    .select({ pair: wheelPairs })
    .from(wheelPairs)
    .innerJoin(newest, and(eq(newest.memberId, memberId), eq(newest.last, number)));
  return new Map(rows.map(({ pair }) => [pair.memberId, pair]));
}

export interface Begun {
  words: string;
  wordsBy: "member" | "house";
  /** What all spins of the pair are drawn from. */
  table: PrizeTable;
}

/** Gives the next pair its words and its table, reveals the pair in use, and makes the commit that follows. */
export async function beginPair(tx: Tx, deps: Needs, seeds: WheelSeeds, memberId: number, begun: Begun): Promise<Pair> {
  return (await beginPairs(tx, deps, seeds, new Map([[memberId, begun]]))).get(memberId)!;
}

/** The same for several members, by their ids. */
export async function beginPairs(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  begun: ReadonlyMap<number, Begun>,
): Promise<Map<number, Pair>> {
  const memberIds = [...begun.keys()];
  if (memberIds.length === 0) return new Map();
  await endOldNext(tx, deps, seeds, begun);
  const known = await readPairsOf(tx, memberIds);
  const next = memberIds.flatMap((id) => known.get(id)!.next ?? []);
  await statePairs(tx, deps, next);
  const made = await makeNext(
    tx,
    deps,
    seeds,
    memberIds.filter((id) => !known.get(id)!.next),
  );
  await reveal(
    tx,
    deps,
    seeds,
    memberIds.flatMap((id) => known.get(id)!.open ?? []),
  );
  const pairs = new Map<number, Pair>();
  for (const row of [...next, ...made.values()])
    pairs.set(row.memberId, await giveWords(tx, row, begun.get(row.memberId)!));
  await makeNext(tx, deps, seeds, memberIds);
  return pairs;
}

/** Before a pair of the master key in force begins, a commit of an earlier key ends. */
async function endOldNext(tx: Tx, deps: Needs, seeds: WheelSeeds, begun: ReadonlyMap<number, Begun>): Promise<void> {
  const known = await readPairsOf(tx, [...begun.keys()]);
  const old = [...begun].filter(([memberId]) => {
    const { next } = known.get(memberId)!;
    return next && seeds.isOld(next);
  });
  for (const [memberId, { wordsBy }] of old)
    if (wordsBy === "member") throw new Error(`words of member ${memberId} are for a commit of an earlier master key`);
  await endPairs(tx, deps, seeds, new Map(old));
}

/** Ends both pairs of members without a further spin: what waits for words gets these. The commits that follow are new. */
export async function endPairs(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  begun: ReadonlyMap<number, Begun>,
): Promise<void> {
  const memberIds = [...begun.keys()];
  if (memberIds.length === 0) return;
  const known = [...(await readPairsOf(tx, memberIds)).values()];
  await statePairs(
    tx,
    deps,
    known.flatMap(({ next }) => next ?? []),
  );
  await reveal(
    tx,
    deps,
    seeds,
    known.flatMap(({ open }) => open ?? []),
  );
  const ended: Pair[] = [];
  for (const { next } of known) if (next) ended.push(await giveWords(tx, next, begun.get(next.memberId)!));
  await reveal(tx, deps, seeds, ended);
  await makeNext(tx, deps, seeds, memberIds);
}

/** Ends a member's pair in use, if it is of an earlier master key. */
export async function endOldOpen(tx: Tx, deps: Needs, seeds: WheelSeeds, memberId: number): Promise<void> {
  const { open } = await readPairs(tx, memberId);
  if (open && seeds.isOld(open)) await reveal(tx, deps, seeds, [open]);
}

async function giveWords(tx: Tx, { id }: Row, { words, wordsBy, table }: Begun): Promise<Pair> {
  const [pair] = await tx
    .update(wheelPairs)
    .set({ words, wordsBy, tableId: table.id, tableHash: hashOf(table) })
    .where(and(eq(wheelPairs.id, id), isNull(wheelPairs.words)))
    .returning();
  if (!pair) throw new Error(`pair ${id} got its words concurrently`);
  return { ...pair, words };
}

/** Ends pairs. Their spins stay checkable: the seed of a pair with spins is stored in the member's messages. */
async function reveal(tx: Tx, deps: Needs, seeds: WheelSeeds, open: readonly Pair[]): Promise<void> {
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id);
  const over = await tx
    .update(wheelPairs)
    .set({ revealedAt: deps.clock.now() })
    .where(and(isOneOf(wheelPairs.id, ids), isNotNull(wheelPairs.words), isNull(wheelPairs.revealedAt)))
    .returning();
  if (over.length < open.length) throw new Error(`one of the pairs ${ids.join(", ")} was revealed concurrently`);
  for (const pair of over) await announceSeed(tx, deps, seeds, pair);
}

async function announceSeed(tx: Tx, deps: Needs, seeds: WheelSeeds, pair: Row): Promise<void> {
  if (pair.nonce === 0) return;
  const seed = bytesToHex(seeds.reveal(pair));
  const facts = { number: String(pair.number + 1), pair: String(pair.id), spins: String(pair.nonce), seed };
  await addMessage(tx, deps, pair.memberId, "wheel.revealed", facts);
}
