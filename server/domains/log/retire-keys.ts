import { and, asc, between, eq, gt, lt, max, ne } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { batchSignatures, betColumns, bets, houseEntries, logKeys } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import type { KeyRow } from "./log-key.ts";
import type { Receipts } from "./receipts.ts";
import { isKeyTold, isRotated, readKeys } from "./read-keys.ts";

/** Batches that are signed at once: a busy site has a million, and each reads its bets again. */
const MOST_BATCHES = 20;

/**
 * Signs some more batches of a key that was replaced, and forgets the key once all of them are signed. Every step may be
 * repeated, by any server.
 */
export async function retireKeys({ db }: Pick<Deps, "db">, receipts: Pick<Receipts, "signatureOf">): Promise<void> {
  const sealed = await db.read
    .select({ id: logKeys.id })
    .from(logKeys)
    .where(ne(logKeys.sealedKey, ""))
    .orderBy(asc(logKeys.id))
    .limit(2);
  // The newest key is in force.
  if (sealed.length < 2) return;
  const all = await readKeys(db.read);
  const at = all.findIndex(({ id }) => id === sealed[0]!.id);
  const [old, next] = [all[at]!, all[at + 1]!];
  // It may still have to sign a head that ends before its replacement.
  if (isRotated(next, all) && !(await isKeyTold(db.read, next, all))) return;
  const batches = await unsignedBatches(db.read, old, next);
  for (const { id, fromId, toId } of batches) {
    const taken = await db.read
      .select(betColumns)
      .from(bets)
      .where(between(bets.id, fromId, toId))
      .orderBy(asc(bets.id));
    const signature = await receipts.signatureOf(id, taken);
    failpoint("log.retire", id);
    await db.transact((tx) => tx.insert(batchSignatures).values({ batch: id, signature }).onConflictDoNothing());
  }
  if (batches.length > 0) return;
  await db.transact((tx) => tx.update(logKeys).set({ sealedKey: "" }).where(eq(logKeys.id, old.id)));
}

/** The next batches of a key, in their order. */
async function unsignedBatches(read: Tx, { firstBatch }: KeyRow, next: KeyRow) {
  const isOwn = between(batchSignatures.batch, firstBatch, next.firstBatch - 1);
  const [last] = await read
    .select({ batch: max(batchSignatures.batch) })
    .from(batchSignatures)
    .where(isOwn);
  const after = last?.batch ?? firstBatch - 1;
  return read
    .select()
    .from(houseEntries)
    .where(and(eq(houseEntries.kind, "bets"), gt(houseEntries.id, after), lt(houseEntries.id, next.firstBatch)))
    .orderBy(asc(houseEntries.id))
    .limit(MOST_BATCHES);
}
