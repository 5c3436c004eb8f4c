import type { Tx } from "#db/db.ts";
import { dueDefinitions, readDefinitions } from "#db/definitions.ts";
import type { Findings } from "./findings.ts";

/**
 * Compares tables, indexes, constraints and triggers with those that the migrations make. Without them nothing would
 * refuse a change of what is written once.
 */
export async function auditDefinitions(read: Tx, found: Findings): Promise<void> {
  const [is, due] = [await readDefinitions(read), await dueDefinitions()];
  for (const [name, hash] of due) {
    found.check(is.has(name), () => `the ${name} of the migrations is missing`);
    found.check(!is.has(name) || is.get(name) === hash, () => `the ${name} is not as the migrations make it`);
  }
  for (const name of is.keys()) found.check(due.has(name), () => `the migrations make no ${name}, but there is one`);
}
