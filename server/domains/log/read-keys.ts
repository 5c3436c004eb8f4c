import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logHeads, logKeys, logLeaves } from "#db/schema/index.ts";
import { leafKey, type Leaf } from "#shared/log/leaf.ts";
import { keyText, parseNote, type NoteKey } from "#shared/log/note.ts";
import { shortKey } from "./add-leaf.ts";
import { noteKeyOf, type KeyRow } from "./log-key.ts";
import { newestTold, readLeaves } from "./read-log.ts";

/** All keys, oldest first. */
export const readKeys = (read: Tx): Promise<KeyRow[]> => read.select().from(logKeys).orderBy(asc(logKeys.id));

/** The number of the leaf that brought a key into its log: -1 for the log's first key, null before it has a number. */
export async function numberOfKey(read: Tx, row: KeyRow, all: readonly KeyRow[]): Promise<number | null> {
  if (!isRotated(row, all)) return -1;
  const [leaf] = await read
    .select({ number: logLeaves.number })
    .from(logLeaves)
    .where(and(eq(logLeaves.log, row.log), eq(logLeaves.key, keyOfChange(row))));
  return leaf?.number ?? null;
}

const keyOfChange = (row: KeyRow): string =>
  shortKey(leafKey({ kind: "key", next: keyText(noteKeyOf(row)) } as Leaf<"key">));

/** Whether it replaced another key of its log. */
export const isRotated = ({ id, log }: KeyRow, all: readonly KeyRow[]): boolean =>
  all.some((one) => one.log === log && one.id < id);

/** The key that signs a head of this size: the one that the head's leaves name last. */
export async function keyOfHead(read: Tx, log: number, size: number): Promise<KeyRow> {
  const all = await readKeys(read);
  for (const row of all.filter((one) => one.log === log).reverse()) {
    const number = await numberOfKey(read, row, all);
    if (number !== null && number < size) return row;
  }
  throw new Error(`no key signs the log ${log}`);
}

/** The leaves that replaced keys in a head of this size, in order. */
export async function changesUpTo(read: Tx, log: number, size: number): Promise<{ number: number; text: string }[]> {
  const all = await readKeys(read);
  const changes: { number: number; text: string }[] = [];
  for (const row of all.filter((one) => one.log === log && isRotated(one, all))) {
    const [leaf] = (await readLeaves(read, [keyOfChange(row)], log)).values();
    if (leaf?.number !== null && leaf !== undefined && leaf.number < size)
      changes.push({ number: leaf.number, text: leaf.text });
  }
  return changes;
}

/** Whether a head that was announced names this key, so that everybody can learn it. */
export async function isKeyTold(read: Tx, row: KeyRow, all: readonly KeyRow[]): Promise<boolean> {
  const number = await numberOfKey(read, row, all);
  if (number === null || number < 0) return number !== null;
  const isTold = and(eq(logHeads.log, row.log), isNotNull(logHeads.announcedAt), gt(logHeads.size, number));
  const [head] = await read.select({ size: logHeads.size }).from(logHeads).where(isTold).limit(1);
  return head !== undefined;
}

/**
 * The newest head that everybody may know, the key that signed it, and the leaves that brought this key. Another key may
 * be in force already, for batches.
 */
export async function toldAndKey(read: Tx) {
  const head = await newestTold(read);
  const all = await readKeys(read);
  const own = all.filter(({ log }) => log === all.at(-1)!.log);
  const signatures = head ? parseNote(head.note)!.signatures : [];
  const keys = own.map(noteKeyOf);
  const isSigner = ({ name, id }: NoteKey) => signatures.some((one) => one.name === name && one.keyId === id);
  const at = Math.max(0, keys.findIndex(isSigner));
  const changes: number[] = [];
  for (const row of own.slice(1, at + 1)) changes.push((await numberOfKey(read, row, all))!);
  return { head, key: keys[at]!, changes };
}
