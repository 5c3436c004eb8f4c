import { and, desc, eq, gt, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logHeads, logLeaves } from "#db/schema/log.ts";
import { wheelTables } from "#db/schema/wheel.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { leafKey, ownHash, type Leaf } from "#shared/log/leaf.ts";
import { rowsOf, tableHash } from "#shared/wheel.ts";
import { addLeaf, currentLog, shortKey } from "./add-leaf.ts";
import { newestTold, proveInclusion, readLeaves } from "./read-log.ts";

type Table = typeof wheelTables.$inferSelect;

/** Whether a table says what its prizes give. The oldest ones do not: they bind no pair, and are in no log. */
export const isWholeTable = ({ prizes }: Table): boolean =>
  prizes.every(({ kind, amount }) => typeof kind === "string" && typeof amount === "number");

/** The wheel's chances as the log states them. */
export function tableLeaf({ id, prizes, createdAt }: Table, unit: string): Leaf<"table"> {
  // In the order of the canonical text, as whoever reads the leaf gets them.
  const rows = prizes.map(({ amount, id: prize, kind, weight }) => ({ amount, id: prize, kind, weight }));
  const leaf = { kind: "table" as const, id: String(id), unit, prizes: rows, from: createdAt };
  return { ...leaf, hash: ownHash(leaf) };
}

/** States the table in force, unless the log has it. */
export async function stateTable(tx: Tx): Promise<void> {
  const [newest] = await tx.select().from(wheelTables).orderBy(desc(wheelTables.id)).limit(1);
  if (newest && isWholeTable(newest)) await addLeaf(tx, tableLeaf(newest, await readUnit(tx)));
}

/** Writes a table that is in force from now on, with its leaf. */
export async function addTable(tx: Tx, prizes: Table["prizes"], now: number): Promise<void> {
  await tx.insert(wheelTables).values({ prizes, createdAt: now });
  await stateTable(tx);
}

/** A key is made of kind and id alone. */
const keyOfTable = (id: number): string =>
  shortKey(leafKey({ kind: "table", id: String(id), hash: "", unit: "", prizes: [], from: 0 }));

/** Whether a head of today's log that was announced holds a table. Before that, words for it prove nothing. */
export async function isTableTold(read: Tx, id: number): Promise<boolean> {
  const [told] = await read
    .select({ size: logHeads.size })
    .from(logLeaves)
    .innerJoin(logHeads, and(eq(logHeads.log, logLeaves.log), gt(logHeads.size, logLeaves.number)))
    .where(and(eq(logLeaves.log, currentLog), eq(logLeaves.key, keyOfTable(id)), isNotNull(logHeads.announcedAt)))
    .limit(1);
  return told !== undefined;
}

/** Tables that are looked through for a hash, newest first. An app asks for the one that is shown. */
const MOST_TABLES = 50;

/** The newest table with this hash, which says what its prizes give. Undefined if there is none of late. */
export async function findTable(read: Tx, hash: string): Promise<Table | undefined> {
  const newest = await read.select().from(wheelTables).orderBy(desc(wheelTables.id)).limit(MOST_TABLES);
  return newest.find((table) => isWholeTable(table) && tableHash(rowsOf(table.prizes)) === hash);
}

/** The leaf of a table in the newest head, with its path. Null while no head holds it. */
export async function proveTable(read: Tx, hash: string) {
  const [table, head] = [await findTable(read, hash), await newestTold(read)];
  if (!table || !head) return null;
  const key = keyOfTable(table.id);
  const leaf = (await readLeaves(read, [key], head.log)).get(key);
  if (!leaf || leaf.number === null || leaf.number >= head.size) return null;
  const path = await proveInclusion(read, head.log, leaf.number, head.size);
  return { head: head.note, leaf: leaf.text, index: leaf.number, path };
}
