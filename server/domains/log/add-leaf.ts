import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logKeys, logLeaves } from "#db/schema/log.ts";
import { leafKey, leafText, type Leaf, type OpenKind } from "#shared/log/leaf.ts";

/** The log of today. Before its first key there is the one that it will be. */
export const currentLog = sql<number>`(select coalesce(max(${logKeys.log}), 1) from ${logKeys})`;

const KEY_LETTERS = 16;

/** Kind and subject in 96 bits: room for 10^9 leaves, with one chance in 10^11 that two of them meet. */
export const shortKey = (subject: string): string =>
  createHash("sha256").update(subject).digest("base64url").slice(0, KEY_LETTERS);

/**
 * Writes a leaf with what it states, in the same transaction. It gets its number later. Returns false if the log has
 * stated this subject before, in these words or in others: then nothing is written.
 */
export async function addLeaf(tx: Tx, leaf: Leaf<OpenKind>): Promise<boolean> {
  const row = { log: currentLog, key: shortKey(leafKey(leaf)), text: leafText(leaf) };
  const added = await tx.insert(logLeaves).values(row).onConflictDoNothing().returning({ id: logLeaves.id });
  return added.length === 1;
}

/** The same for what happens once. Throws where the log has stated it before. */
export async function addNewLeaf(tx: Tx, leaf: Leaf<OpenKind>): Promise<void> {
  if (!(await addLeaf(tx, leaf))) throw new Error(`the log has stated this before: ${leafKey(leaf)}`);
}
