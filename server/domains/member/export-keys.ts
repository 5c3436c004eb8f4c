import { and, asc, eq, isNull, lte } from "drizzle-orm";
import type { Db, Tx } from "#db/db.ts";
import { masterKeys } from "#db/schema/site.ts";
import type { Keys } from "#server/config/keys.ts";
import { dayOf, dayText } from "#shared/time.ts";
import { exportKeyOf } from "./export-signer.ts";

/** Writes down with which key exports are signed under each master key: it outlives the master key. */
export async function rememberExportKeys({ read, transact }: Pick<Db, "read" | "transact">, keys: Pick<Keys, "all">) {
  const unknown = await read.select().from(masterKeys).where(isNull(masterKeys.exportKey));
  for (const key of keys.all.filter(({ version }) => unknown.some(({ id }) => id === version)))
    await transact((tx) =>
      tx
        .update(masterKeys)
        .set({ exportKey: exportKeyOf(key) })
        .where(and(eq(masterKeys.id, key.version), isNull(masterKeys.exportKey))),
    );
}

/** The keys that exports were signed with so far, oldest first. */
export async function readExportKeys(read: Tx, now: number): Promise<{ key: string; from: string | null }[]> {
  const rows = await read
    .select()
    .from(masterKeys)
    .where(lte(masterKeys.fromDay, dayOf(now)))
    .orderBy(asc(masterKeys.id));
  return rows.flatMap(({ exportKey: key, fromDay }) =>
    key === null ? [] : [{ key, from: fromDay === 0 ? null : dayText(fromDay) }],
  );
}
