import { randomBytes } from "node:crypto";
import { inArray } from "drizzle-orm";
import type { Db } from "#db/db.ts";
import { MARK } from "#db/move/tables.ts";
import { meta } from "#db/schema/site.ts";
import type { Config } from "./config.ts";
import { keysOf, loadMasterKey, type Keys } from "./keys.ts";

/**
 * Binds a master key to a database: an empty database stores the key's fingerprint, any other refuses a foreign key.
 */
export async function adoptMasterKey(
  db: Db,
  { masterKey, dataDir }: Pick<Config, "masterKey" | "dataDir">,
): Promise<{ keys: Keys; epoch: string }> {
  const known = await readMeta(db);
  if (known[MARK] !== undefined) {
    throw new Error("This database is the unfinished copy of a move: run npm run move again, or serve the original.");
  }
  const keys = keysOf(await loadMasterKey(masterKey, dataDir, known.key === undefined));
  if (known.key === undefined) {
    await db.transact(async (tx) => {
      const rows = [
        { name: "key", value: keys.fingerprint },
        { name: "epoch", value: randomBytes(8).toString("hex") },
      ];
      await tx.insert(meta).values(rows).onConflictDoNothing();
    });
  }
  const { key, epoch } = await readMeta(db);
  if (key !== keys.fingerprint)
    throw new Error("This master key belongs to another database: set the one this database was created with.");
  return { keys, epoch: epoch! };
}

/** Whether the master key here is the one a database was made with; null for a database that has none yet. */
export async function isKeyOf(
  db: Pick<Db, "read">,
  { masterKey, dataDir }: Pick<Config, "masterKey" | "dataDir">,
): Promise<boolean | null> {
  const { key } = await readMeta(db);
  return key === undefined ? null : keysOf(await loadMasterKey(masterKey, dataDir, false)).fingerprint === key;
}

async function readMeta({ read }: Pick<Db, "read">): Promise<{ key?: string; epoch?: string; [MARK]?: string }> {
  const rows = await read
    .select()
    .from(meta)
    .where(inArray(meta.name, ["key", "epoch", MARK]));
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
