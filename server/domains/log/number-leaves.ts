import { deflateRawSync } from "node:zlib";
import { and, asc, between, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { dialect } from "#db/columns.ts";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { logBundles, logHeads, logLeaves } from "#db/schema/log.ts";
import { leafKey, leafText } from "#shared/log/leaf.ts";
import { bundleOf, WIDTH } from "#shared/log/tiles.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { shortKey } from "./add-leaf.ts";
import { sha256 } from "./sha256.ts";
import { growTree } from "./stored-tree.ts";

/** Leaves that one transaction numbers: it stays short. */
const MOST_AT_ONCE = 200;

/** The newest head of a log; null while it is empty. */
export async function newestHead(read: Tx, log: number) {
  const [head] = await read.select().from(logHeads).where(eq(logHeads.log, log)).orderBy(desc(logHeads.size)).limit(1);
  return head ?? null;
}

/** The newest head of a log that was announced; null before the first. */
export async function newestSigned(read: Tx, log: number) {
  const isSigned = and(eq(logHeads.log, log), isNotNull(logHeads.note));
  const [head] = await read.select().from(logHeads).where(isSigned).orderBy(desc(logHeads.size)).limit(1);
  return head ?? null;
}

/**
 * Gives the waiting leaves their numbers, in the order in which they were written, and a time as the last one; then the
 * tree has a new head. Needs a transaction of the kind `fence`: it waits for another one that numbers, and sees what that
 * one left. Returns how many leaves it numbered, the time not among them. Without waiting leaves nothing happens, unless
 * the newest head is older than `before`.
 */
export async function numberLeaves(tx: Tx, log: number, now: number, before: number): Promise<number> {
  await takeTurn(tx);
  const head = await newestHead(tx, log);
  const isWaiting = and(eq(logLeaves.log, log), isNull(logLeaves.number));
  const waiting = await tx
    .select({ id: logLeaves.id, text: logLeaves.text })
    .from(logLeaves)
    .where(isWaiting)
    .orderBy(asc(logLeaves.id))
    .limit(MOST_AT_ONCE);
  if (waiting.length === 0 && head && head.at >= before) return 0;
  failpoint("log.number", log);
  const size = head?.size ?? 0;
  const time = Math.max(now, (head?.at ?? 0) + 1);
  const leaves = [...waiting, await addTime(tx, log, time)];
  await giveNumbers(
    tx,
    leaves.map(({ id }) => id),
    size,
  );
  const hashes = leaves.map(({ text }) => merkleLeaf(text!, sha256));
  const next = await growTree(tx, log, size, hashes);
  await tx.insert(logHeads).values({ log, size: next.size, root: Buffer.from(next.root).toString("hex"), at: time });
  for (let index = Math.floor(size / WIDTH); index < Math.floor(next.size / WIDTH); index++) {
    await packBundle(tx, log, index);
  }
  return waiting.length;
}

/** One transaction numbers at a time. On SQLite there is only one writer. */
async function takeTurn(tx: Tx): Promise<void> {
  if (dialect === "postgres")
    await tx.select({ locked: sql`pg_advisory_xact_lock(7247, 5)::text` }).from(sql`(select 1) as one`);
}

/** Leaves get the numbers from `first` on, in the order of their rows. */
async function giveNumbers(tx: Tx, ids: readonly number[], first: number): Promise<void> {
  const place = sql<number>`row_number() over (order by ${logLeaves.id}) - 1`.as("place");
  const placed = tx
    .select({ own: sql<number>`${logLeaves.id}`.as("own"), place })
    .from(logLeaves)
    .where(inArray(logLeaves.id, [...ids]))
    .as("placed");
  await tx
    .update(logLeaves)
    .set({ number: sql`${placed.place} + ${first}` })
    .from(placed)
    .where(eq(logLeaves.id, placed.own));
}

async function addTime(tx: Tx, log: number, time: number) {
  const leaf = { kind: "time", time } as const;
  const row = { log, key: shortKey(leafKey(leaf)), text: leafText(leaf) };
  const [added] = await tx.insert(logLeaves).values(row).returning({ id: logLeaves.id, text: logLeaves.text });
  return added!;
}

/** Compresses 256 leaves into their bundle, which from then on holds their texts. */
async function packBundle(tx: Tx, log: number, index: number): Promise<void> {
  const numbers = between(logLeaves.number, index * WIDTH, (index + 1) * WIDTH - 1);
  // The index of the numbers has those with a text alone.
  const isIn = and(eq(logLeaves.log, log), numbers, isNotNull(logLeaves.text));
  const rows = await tx.select({ text: logLeaves.text }).from(logLeaves).where(isIn).orderBy(asc(logLeaves.number));
  const bundle = bundleOf(rows.map(({ text }) => Buffer.from(text!)));
  await tx.insert(logBundles).values({ log, index, data: deflateRawSync(bundle, { level: 9 }) });
  // With its id, SQLite writes the row anew, and fills its pages again: they would stay as large as the texts were.
  await tx
    .update(logLeaves)
    .set({ id: sql`${logLeaves.id}`, text: null })
    .where(isIn);
}
