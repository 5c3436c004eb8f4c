import { and, asc, eq, gte, inArray, lt } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import { logCosignatures, logHeads } from "#db/schema/log.ts";
import type { Deps } from "#server/app/deps.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { newestTold } from "./read-log.ts";

/** Every head is kept as long as an app keeps what it compares with it. */
export const HEADS_KEPT_MS = 31 * DAY_MS;

/** Heads that one transaction looks at. */
const PAGE = 500;

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);

/**
 * Whether the log may do without a head, seen from its newest one: it is old, and not the first of its hour. Its leaves
 * and its tree stay, so every proof from or to its size can still be made.
 */
export const isDispensable = (at: number, before: { at: number } | null, newestAt: number): boolean =>
  at < newestAt - HEADS_KEPT_MS && before !== null && hourOf(before.at) === hourOf(at);

/** Where a run goes on: the last head that it left. */
export interface PrunedTo {
  log: number;
  size: number;
}

/**
 * Deletes heads that the log may do without, and what witnesses signed under them. Returns where the next run goes on. Any
 * process may do this at any time.
 */
export async function pruneHeads({ db }: Pick<Deps, "db">, from: PrunedTo | null): Promise<PrunedTo | null> {
  const newest = await newestTold(db.read);
  if (!newest) return null;
  const { log, at: newestAt } = newest;
  let to: PrunedTo = from?.log === log ? from : { log, size: 0 };
  for (;;) {
    const isOld = and(eq(logHeads.log, log), gte(logHeads.size, to.size), lt(logHeads.at, newestAt - HEADS_KEPT_MS));
    const page = await db.read
      .select({ size: logHeads.size, at: logHeads.at })
      .from(logHeads)
      .where(isOld)
      .orderBy(asc(logHeads.size))
      .limit(PAGE);
    // The first one of the page was looked at before, or is the first of all.
    const sizes = page.filter(({ at }, i) => isDispensable(at, page[i - 1] ?? null, newestAt)).map(({ size }) => size);
    if (sizes.length > 0) {
      await db.transact(async (tx) => {
        await tx.delete(logHeads).where(and(eq(logHeads.log, log), inArray(logHeads.size, sizes)));
        failpoint("log.prune", log);
        const isUnder = and(eq(logCosignatures.log, log), inArray(logCosignatures.size, sizes));
        await tx.delete(logCosignatures).where(isUnder);
      });
    }
    const last = page.findLast(({ size }) => !sizes.includes(size));
    if (last) to = { log, size: last.size };
    if (page.length < PAGE) return to;
  }
}
