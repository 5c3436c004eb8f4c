import { existsSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { meta } from "#db/schema/index.ts";
import type { Operator } from "#server/admin/command.ts";
import { keysOf, loadMasterKey, type Keys } from "#server/config/keys.ts";
import type { Findings } from "./findings.ts";

/** The master key, to compare what follows from it. Null where it is not at hand: a copy may be audited without it. */
export async function readKeys(
  { masterKey, dataDir }: Pick<Operator["config"], "masterKey" | "dataDir">,
  read: Tx,
  found: Findings,
): Promise<Keys | null> {
  if (masterKey === undefined && !existsSync(join(dataDir, "master.key"))) {
    found.note(() => "the master key is not here (MASTER_KEY, or the file master.key): nothing was derived from it");
    return null;
  }
  const keys = keysOf(await loadMasterKey(masterKey, dataDir, false));
  const [known] = await read.select().from(meta).where(eq(meta.name, "key"));
  found.check(
    known === undefined || known.value === keys.fingerprint,
    () => "the master key here is not the one that this database was made with",
  );
  return keys;
}
