import { eq, gt, max, min } from "drizzle-orm";
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
  const [reach] = await read
    .select({ house: max(seals.houseTo), transfers: max(seals.transfersTo), acts: max(seals.actsTo) })
    .from(seals);
  const { house, transfers: moved, acts } = reach!;
  for (const [what, table, createdAt, to] of [
    ["house entry", houseEntries, houseEntries.createdAt, house],
    ["transfer", transfers, transfers.createdAt, moved],
    // Null until a release that covers acts has sealed.
    ...(acts === null ? [] : [["act of an operator", operatorActs, operatorActs.at, acts] as const]),
  ] as const) {
    const { id } = table;
    const first = read
      .select({ id: min(id) })
      .from(table)
      .where(to === null ? undefined : gt(id, to));
    const [row] = await read.select({ id, createdAt }).from(table).where(eq(id, first));
    const idle = row ? signs.idleSince(row.createdAt) : null;
    found.check(
      idle === null,
      () => `the seals end before ${what} ${row!.id} of ${toIso(row!.createdAt)}: a server worked on for ${idle} s`,
    );
  }
}
