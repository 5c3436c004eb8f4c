import { asc, desc, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { houseEntries, seals, transfers } from "#db/schema/index.ts";
import { toIso } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

/**
 * Checks that the seals reach as far as a server has worked: it seals each minute. Rows that came just before it stopped
 * may have no seal yet, so nobody can tell whether they had one.
 */
export async function auditSealReach(read: Tx, signs: SignsOfLife, found: Findings): Promise<void> {
  const [last] = await read.select().from(seals).orderBy(desc(seals.id)).limit(1);
  for (const [what, table, to] of [
    ["house entry", houseEntries, last?.houseTo ?? 0],
    ["transfer", transfers, last?.transfersTo ?? 0],
  ] as const) {
    const { id, createdAt } = table;
    const [row] = await read.select({ id, createdAt }).from(table).where(gt(id, to)).orderBy(asc(id)).limit(1);
    const idle = row ? signs.idleSince(row.createdAt) : null;
    found.check(
      idle === null,
      () => `the seals end before ${what} ${row!.id} of ${toIso(row!.createdAt)}: a server worked on for ${idle} s`,
    );
  }
}
