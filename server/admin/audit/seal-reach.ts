import { asc, desc, gt, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { houseEntries, operatorActs, seals, transfers } from "#db/schema/index.ts";
import { toIso } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

/**
 * Checks that the seals reach as far as a server has worked: it seals each minute. Rows that came just before it stopped
 * may have no seal yet, so nobody can tell whether they had one.
 */
export async function auditSealReach(read: Tx, signs: SignsOfLife, found: Findings): Promise<void> {
  const [last] = await read.select().from(seals).orderBy(desc(seals.id)).limit(1);
  // Null until a release that covers acts has sealed.
  const [acts] = await read.select({ to: max(seals.actsTo) }).from(seals);
  for (const [what, table, createdAt, to] of [
    ["house entry", houseEntries, houseEntries.createdAt, last?.houseTo ?? 0],
    ["transfer", transfers, transfers.createdAt, last?.transfersTo ?? 0],
    ...(acts!.to === null ? [] : [["act of an operator", operatorActs, operatorActs.at, acts!.to] as const]),
  ] as const) {
    const { id } = table;
    const [row] = await read.select({ id, createdAt }).from(table).where(gt(id, to)).orderBy(asc(id)).limit(1);
    const idle = row ? signs.idleSince(row.createdAt) : null;
    found.check(
      idle === null,
      () => `the seals end before ${what} ${row!.id} of ${toIso(row!.createdAt)}: a server worked on for ${idle} s`,
    );
  }
}
