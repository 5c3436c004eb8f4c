import { and, asc, count, eq, gte, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logBundles, logLeaves, logTiles } from "#db/schema/index.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { unpackBundle } from "#server/domains/log/read-bundle.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { leafKey, parseLeaf, type Leaf, type OpenKind } from "#shared/log/leaf.ts";
import { SALTED_KINDS } from "#shared/log/salted.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { leafHash, MerkleTree, type Subtree } from "#shared/merkle.ts";
import type { Findings } from "./findings.ts";
import type { LogHeads } from "./log-heads.ts";
import { nameOf } from "./log-names.ts";

/** A leaf that has its number. */
export interface NumberedLeaf {
  number: number;
  leaf: Leaf;
}

interface Entry {
  bytes: Uint8Array;
  isPacked: boolean;
}

/** Bundles that are read at once. */
const BUNDLES = 4;
/** How many levels of the tree one tile holds. */
const HEIGHT = 8;

/**
 * Builds the tree of a log anew from its leaves, and compares heads, tiles and the rows that name the leaves. Hands each
 * page of leaves on to `take`. Returns false if a leaf is missing or unreadable: then nothing behind it was compared.
 */
export async function auditTree(
  read: Tx,
  log: number,
  heads: LogHeads,
  found: Findings,
  take: (leaves: NumberedLeaf[]) => Promise<void>,
): Promise<boolean> {
  const tree = new MerkleTree(sha256);
  const tiles = new Tiles(read, log, found);
  for await (const page of entriesOf(read, log, found)) {
    if (page === null) return false;
    const known: (NumberedLeaf & { isPacked: boolean })[] = [];
    for (const { bytes, isPacked } of page) {
      const number = tree.size;
      tree.add(leafHash(bytes, sha256), (subtree, hash) => tiles.add(subtree, hash));
      const text = parseUtf8(bytes);
      const leaf = text === null ? null : parseLeaf(text);
      found.check(leaf !== null, () => `the log's leaf ${number} has no form that the log knows`);
      if (leaf) known.push({ number, leaf, isPacked });
      await heads.check(tree, leaf);
    }
    await checkRows(read, log, known, found);
    await tiles.check();
    await take(known);
  }
  await heads.finish(tree.size);
  await tiles.finish();
  const isNumbered = and(eq(logLeaves.log, log), isNotNull(logLeaves.number));
  const [numbered] = await read.select({ rows: count() }).from(logLeaves).where(isNumbered);
  const { rows } = numbered!;
  found.check(rows === tree.size, () => `the log has ${tree.size} leaves, and ${rows} rows with a number`);
  return true;
}

/** The leaves in order: first those in bundles. Null at one that is missing or cannot be read. */
async function* entriesOf(read: Tx, log: number, found: Findings): AsyncGenerator<Entry[] | null> {
  let next = 0;
  for await (const page of packedOf(read, log, found)) {
    yield page;
    if (page === null) return;
    next += page.length;
  }
  yield* looseOf(read, log, next, found);
}

async function* packedOf(read: Tx, log: number, found: Findings): AsyncGenerator<Entry[] | null> {
  let next = 0;
  for (;;) {
    const bundles = await read
      .select()
      .from(logBundles)
      .where(and(eq(logBundles.log, log), gte(logBundles.index, next)))
      .orderBy(asc(logBundles.index))
      .limit(BUNDLES);
    const page: Entry[] = [];
    for (const { index, data } of bundles) {
      const isNext = index === next;
      found.check(isNext, () => `the log lacks its leaf ${next * WIDTH}`);
      const entries = isNext ? unpackBundle(data) : null;
      found.check(!isNext || entries !== null, () => `the log's bundle ${index} cannot be read`);
      if (!entries) {
        yield null;
        return;
      }
      page.push(...entries.map((bytes) => ({ bytes, isPacked: true })));
      next++;
    }
    yield page;
    if (bundles.length < BUNDLES) return;
  }
}

/** Those behind the last bundle, from a number on. */
async function* looseOf(read: Tx, log: number, from: number, found: Findings): AsyncGenerator<Entry[] | null> {
  for (let next = from; ;) {
    const isLoose = and(eq(logLeaves.log, log), isNotNull(logLeaves.text), gte(logLeaves.number, next));
    const rows = await read
      .select({ number: logLeaves.number, text: logLeaves.text })
      .from(logLeaves)
      .where(isLoose)
      .orderBy(asc(logLeaves.number))
      .limit(BUNDLES * WIDTH);
    const wrong = rows.findIndex(({ number }, i) => number !== next + i);
    if (wrong >= 0) {
      found.check(false, () => `the log lacks its leaf ${next + wrong}`);
      yield null;
      return;
    }
    yield rows.map(({ text }) => ({ bytes: Buffer.from(text!), isPacked: false }));
    if (rows.length < BUNDLES * WIDTH) return;
    next += rows.length;
  }
}

const isOpenKind = (leaf: Leaf): leaf is Leaf<OpenKind> => !(SALTED_KINDS as readonly string[]).includes(leaf.kind);

/** Each leaf has one row, under its own key and number. Once it is in a bundle, its text is there alone. */
async function checkRows(
  read: Tx,
  log: number,
  leaves: (NumberedLeaf & { isPacked: boolean })[],
  found: Findings,
): Promise<void> {
  const keys = new Map(leaves.map(({ leaf, number }) => [number, keyOf(leaf)]));
  const rows = await read
    .select({ key: logLeaves.key, number: logLeaves.number, hasText: sql<number>`${logLeaves.text} is not null` })
    .from(logLeaves)
    .where(and(eq(logLeaves.log, log), inArray(logLeaves.key, [...keys.values()])));
  const rowsOf = Map.groupBy(rows, ({ key }) => key);
  for (const { number, leaf, isPacked } of leaves) {
    const own = rowsOf.get(keys.get(number)!) ?? [];
    const row = own.find((one) => one.number === number);
    found.check(row !== undefined, () => `the log's ${nameOf(leaf)}, leaf ${number}, has no row under its own key`);
    const twin = own.find((one) => one.number !== number);
    const where = twin && (twin.number === null ? "as one without a number" : `as leaf ${twin.number}`);
    found.check(!twin, () => `the log states the ${nameOf(leaf)} twice, as leaf ${number} and ${where}`);
    const isBeside = isPacked && Boolean(row?.hasText);
    found.check(!isBeside, () => `the log's ${nameOf(leaf)}, leaf ${number}, has a text beside its bundle`);
  }
}

const keyOf = (leaf: Leaf): string =>
  shortKey(isOpenKind(leaf) ? leafKey(leaf) : `${leaf.kind}:${(leaf as { hash: string }).hash}`);

/** Compares the stored tiles with the hashes of the tree as it grows. */
class Tiles {
  readonly #read: Tx;
  readonly #log: number;
  readonly #found: Findings;
  /** The tile at the right edge of each level. */
  readonly #edge: Uint8Array[][] = [];
  /** How many tiles of a level are full. */
  readonly #full: number[] = [];
  readonly #done: { level: number; index: number; hashes: Buffer }[] = [];
  #count = 0;

  constructor(read: Tx, log: number, found: Findings) {
    this.#read = read;
    this.#log = log;
    this.#found = found;
  }

  add(subtree: Subtree, hash: Uint8Array): void {
    if (subtree.level % HEIGHT !== 0) return;
    const level = subtree.level / HEIGHT;
    const edge = (this.#edge[level] ??= []);
    edge.push(hash);
    if (edge.length === WIDTH) this.#close(level);
  }

  #close(level: number): void {
    const index = this.#full[level] ?? 0;
    this.#done.push({ level, index, hashes: Buffer.concat(this.#edge[level]!) });
    this.#full[level] = index + 1;
    this.#edge[level] = [];
    this.#count++;
  }

  /** Compares the tiles that became full. */
  async check(): Promise<void> {
    for (const { level, index, hashes } of this.#done.splice(0)) {
      const isTile = and(eq(logTiles.log, this.#log), eq(logTiles.level, level), eq(logTiles.index, index));
      const [row] = await this.#read.select().from(logTiles).where(isTile);
      const isSame = row !== undefined && hashes.equals(row.hashes);
      this.#found.check(isSame, () => `the log's tile ${level}/${index} does not hold the hashes of its leaves`);
    }
  }

  /** Compares the tiles at the edge, and how many there are. */
  async finish(): Promise<void> {
    for (const [level, edge] of this.#edge.entries()) if (edge.length > 0) this.#close(level);
    await this.check();
    const [stored] = await this.#read.select({ tiles: count() }).from(logTiles).where(eq(logTiles.log, this.#log));
    const { tiles } = stored!;
    this.#found.check(tiles === this.#count, () => `the log has ${tiles} tiles, and its leaves make ${this.#count}`);
  }
}
