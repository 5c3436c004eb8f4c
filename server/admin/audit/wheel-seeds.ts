import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logKeys, spins, wheelPairs, wheelTables } from "#db/schema/index.ts";
import type { Keys } from "#server/config/keys.ts";
import { findSeed } from "#server/domains/wheel/seeds.ts";
import { prizeOf, weightOf } from "#shared/wheel.ts";
import { dayOf } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

/**
 * Derives the wheel's seeds anew: compares every pair's commit, and recomputes the spins of pairs whose seed is not public
 * yet. A key that nothing needs any more may be gone, and with it the seeds of its days. No seed leaves this file.
 */
export async function auditWheelSeeds(read: Tx, keys: Pick<Keys, "all">, found: Findings): Promise<void> {
  await auditCommits(read, keys, found);
  await auditSecretSpins(read, keys, found);
}

/** Whether a pair is from a day whose key may be gone. */
const mayBeGone = ({ all }: Pick<Keys, "all">, createdAt: number): boolean => dayOf(createdAt) < all[0]!.fromDay;

async function auditCommits(read: Tx, keys: Pick<Keys, "all">, found: Findings): Promise<void> {
  const pairs = (after: number, limit: number) =>
    read.select().from(wheelPairs).where(gt(wheelPairs.id, after)).orderBy(asc(wheelPairs.id)).limit(limit);
  const origins = new Set((await read.select({ origin: logKeys.origin }).from(logKeys)).map(({ origin }) => origin));
  for await (const pair of inPages(pairs)) {
    found.check(
      pair.origin === null || origins.has(pair.origin),
      () => `pair ${pair.id}: its seed was derived in the name of no log of this house`,
    );
    found.check(
      findSeed(keys, pair) !== null || mayBeGone(keys, pair.createdAt),
      () => `pair ${pair.id}: its commit does not follow from the master key`,
    );
  }
}

async function auditSecretSpins(read: Tx, keys: Pick<Keys, "all">, found: Findings): Promise<void> {
  const chances = new Map((await read.select().from(wheelTables)).map(({ id, prizes }) => [id, prizes]));
  const secret = (after: number, limit: number) =>
    read
      .select({ id: spins.id, spin: spins, pair: wheelPairs })
      .from(spins)
      .innerJoin(wheelPairs, eq(wheelPairs.id, spins.pairId))
      .where(and(gt(spins.id, after), isNull(wheelPairs.revealedAt)))
      .orderBy(asc(spins.id))
      .limit(limit);
  for await (const { spin, pair } of inPages(secret)) {
    const seed = findSeed(keys, pair);
    if (seed === null && mayBeGone(keys, pair.createdAt)) continue;
    const table = chances.get(spin.tableId) ?? [];
    const due =
      seed === null || pair.words === null || weightOf(table) === 0
        ? null
        : prizeOf(seed, pair.words, spin.nonce, table);
    found.check(
      due === spin.prizeId,
      () => `spin ${spin.nonce} of pair ${pair.id}: the master key gives another prize`,
    );
  }
}
