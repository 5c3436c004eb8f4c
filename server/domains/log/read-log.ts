import { and, asc, desc, eq, gt, inArray, isNotNull, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logHeads, logLeaves } from "#db/schema/log.ts";
import type { Leaf, LeafKind } from "#shared/log/leaf.ts";
import { leafText, parseLeaf } from "#shared/log/leaf.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { consistencyOf, inclusionOf } from "#shared/log/tree.ts";
import { HOUR_MS } from "#shared/time.ts";
import { Refusal } from "#shared/refusal.ts";
import { currentLog } from "./add-leaf.ts";
import { readBundle } from "./read-bundle.ts";
import { keyOfRound, type RoundSubject } from "./round-keys.ts";
import { hashesOf } from "./stored-tree.ts";

/** A head that was signed and announced. */
export interface ToldHead {
  log: number;
  size: number;
  root: string;
  /** Its time leaf. */
  at: number;
  note: string;
  announcedAt: number;
}

const isTold = and(eq(logHeads.log, currentLog), isNotNull(logHeads.announcedAt));

/** The newest head that everybody may know; null before the first. */
export async function newestTold(read: Tx): Promise<ToldHead | null> {
  const { log, size, root, at, note, announcedAt } = logHeads;
  const [head] = await read
    .select({ log, size, root, at, note, announcedAt })
    .from(logHeads)
    .where(isTold)
    .orderBy(desc(size))
    .limit(1);
  return (head as ToldHead | undefined) ?? null;
}

/** The first head since the full hour of the newest one, with the path of its time; null before the first head. */
export async function readHour(read: Tx) {
  const [newest] = await read.select().from(logHeads).where(isTold).orderBy(desc(logHeads.size)).limit(1);
  if (!newest) return null;
  const hour = Math.floor(newest.at / HOUR_MS) * HOUR_MS;
  // Heads of an hour are few: the last one before it is near.
  const isBefore = and(isTold, lt(logHeads.at, hour));
  const [before] = await read.select().from(logHeads).where(isBefore).orderBy(desc(logHeads.size)).limit(1);
  const isSince = and(isTold, gt(logHeads.size, before?.size ?? 0));
  const [head] = await read.select().from(logHeads).where(isSince).orderBy(asc(logHeads.size)).limit(1);
  const { log, size, note, at } = head!;
  const path = await proveInclusion(read, log, size - 1, size);
  return { hour, head: note!, leaf: leafText({ kind: "time", time: at }), path };
}

const inHex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString("hex"));

/** The proof that the first `to` leaves begin with the first `from`. Only what was announced is proved. */
export async function proveConsistency(read: Tx, log: number, from: number, to: number) {
  const newest = await newestTold(read);
  if (from > to || to > (newest?.size ?? 0)) throw new Refusal("object.unknown");
  return { from, to, path: inHex(await hashesOf(read, log, to, consistencyOf(from, to))) };
}

/** The path from a leaf to the root of a head. */
export const proveInclusion = async (read: Tx, log: number, number: number, size: number): Promise<string[]> =>
  inHex(await hashesOf(read, log, size, inclusionOf(number, size)));

/** A leaf with its text and its log, and its number once it has one. */
export interface StoredLeaf {
  log: number;
  number: number | null;
  text: string;
}

/** Leaves by their keys, as the newest log that has them states them, or the log that is named. */
export async function readLeaves(read: Tx, keys: readonly string[], only?: number): Promise<Map<string, StoredLeaf>> {
  const rows = keys.length
    ? await read
        .select()
        .from(logLeaves)
        .where(and(inArray(logLeaves.key, [...keys]), only === undefined ? undefined : eq(logLeaves.log, only)))
        .orderBy(asc(logLeaves.log))
    : [];
  const bundles = new Map<string, Uint8Array[]>();
  const found = new Map<string, StoredLeaf>();
  for (const { log, key, number, text } of rows) {
    if (text !== null) found.set(key, { log, number, text });
    else {
      const index = Math.floor(number! / WIDTH);
      const name = `${log}/${index}`;
      if (!bundles.has(name)) bundles.set(name, (await readBundle(read, log, index, WIDTH))!);
      found.set(key, { log, number, text: Buffer.from(bundles.get(name)![number! % WIDTH]!).toString("utf8") });
    }
  }
  return found;
}

/** Leaves that are asked for at once: thousands of rounds may wait for a beacon that is away. */
const AT_ONCE = 500;

/** The numbers of leaves in a log, by their keys. One that waits for its number has none. */
export async function readNumbers(
  read: Tx,
  log: number | typeof currentLog,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const isAsked = inArray(logLeaves.key, keys.slice(at, at + AT_ONCE));
    const rows = await read
      .select({ key: logLeaves.key, number: logLeaves.number })
      .from(logLeaves)
      .where(and(eq(logLeaves.log, log), isAsked, isNotNull(logLeaves.number)));
    for (const { key, number } of rows) numbers.set(key, number!);
  }
  return numbers;
}

/** A leaf of ours, read back. */
export function leafIn<K extends LeafKind>(kind: K, { text }: StoredLeaf): Extract<Leaf, { kind: K }> {
  const leaf = parseLeaf(text);
  const isOfKind = (one: Leaf | null): one is Extract<Leaf, { kind: K }> => one?.kind === kind;
  if (!isOfKind(leaf)) throw new Error(`the log has no ${kind} here: ${text}`);
  return leaf;
}

/** A round's terms as the log says them; null for a round from before the log. */
export async function readTerms(read: Tx, subject: RoundSubject): Promise<Leaf<"open"> | null> {
  const key = keyOfRound("open", subject);
  const leaf = (await readLeaves(read, [key])).get(key);
  return leaf ? leafIn("open", leaf) : null;
}

/** The size of the first head that holds a round's closing; null where none does. */
export async function headOfClosing(read: Tx, subject: RoundSubject): Promise<number | null> {
  const key = keyOfRound("close", subject);
  const [head] = await read
    .select({ size: logHeads.size })
    .from(logLeaves)
    .innerJoin(logHeads, and(eq(logHeads.log, logLeaves.log), gt(logHeads.size, logLeaves.number)))
    .where(and(eq(logLeaves.log, currentLog), eq(logLeaves.key, key), isNotNull(logHeads.announcedAt)))
    .orderBy(asc(logHeads.size))
    .limit(1);
  return head?.size ?? null;
}
