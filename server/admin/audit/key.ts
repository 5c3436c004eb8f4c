import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tx } from "#db/db.ts";
import type { Operator } from "#server/admin/command.ts";
import type { Keys } from "#server/config/keys.ts";
import { openKeys } from "#server/config/master-key.ts";
import { missingKeys } from "#server/domains/keys/still-needed.ts";
import type { Findings } from "./findings.ts";

/** The master keys, to compare what follows from them. Null where none is at hand: a copy may be audited without them. */
export async function readKeys(
  { config: { masterKey, dataDir }, clock }: Pick<Operator, "config" | "clock">,
  read: Tx,
  found: Findings,
): Promise<Keys | null> {
  if (masterKey === undefined && !existsSync(join(dataDir, "master.key"))) {
    found.note(() => "the master key is not here (MASTER_KEY, or the file master.key): nothing was derived from it");
    return null;
  }
  const { keys, isOwn, rows } = await openKeys(read, { masterKey, dataDir }, clock);
  found.check(isOwn || rows.length === 0, () => "the master key here is not the one that this database was made with");
  if (!isOwn) return keys;
  for (const { row, need } of await missingKeys(read, { keys, rows }, clock.now())) {
    found.check(need.length === 0, () => `the master key ${row.fingerprint} is not here, and is still needed`);
    if (need.length === 0)
      found.note(() => `the master key ${row.fingerprint} is not here: nothing was derived from it`);
  }
  return keys;
}
