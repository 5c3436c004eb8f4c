import { asc, eq, gt, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logKeys, logLeaves, memberLeaves, spins, wheelPairs } from "#db/schema/index.ts";
import { saltedKey } from "#server/domains/log/member-leaves.ts";
import { kindOfKey } from "#server/domains/log/state-chain-ends.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

/** A pair, or a spin of it. */
interface Turn {
  name: string;
  /** Under which its member's chain states it. */
  key: string;
  origin: string | null;
}

/**
 * Asks in which log each pair and each spin is stated: it has to be the one in whose name the pair's seed was derived. A
 * seed of the log before a restore may have been seen in the time that was lost.
 */
export async function auditWheelLogs(read: Tx, found: Findings): Promise<void> {
  const logs = new Map((await read.select().from(logKeys)).map(({ origin, log }) => [origin, log]));
  const { id, memberId, number, origin } = wheelPairs;
  const pairs = (after: number, limit: number) =>
    read.select({ id, memberId, number, origin }).from(wheelPairs).where(gt(id, after)).orderBy(asc(id)).limit(limit);
  let isNamed = false;
  for await (const rows of pagesOf(pairs)) {
    for (const { id, origin } of rows) {
      isNamed ||= origin !== null;
      // Pairs name a log since a migration. None does not that came later.
      found.check(
        origin !== null || !isNamed,
        () => `pair ${id}: its seed was derived in the name of no log, as it was done before`,
      );
    }
    const turns = rows.map((row) => ({ ...row, name: `pair ${row.id}`, key: `pair:${row.memberId}:${row.number}` }));
    await checkTurns(read, turns, logs, found);
  }
  const spun = (after: number, limit: number) =>
    read
      .select({ id: spins.id, pairId: spins.pairId, nonce: spins.nonce, memberId, number, origin })
      .from(spins)
      .innerJoin(wheelPairs, eq(wheelPairs.id, spins.pairId))
      .where(gt(spins.id, after))
      .orderBy(asc(spins.id))
      .limit(limit);
  for await (const rows of pagesOf(spun)) {
    const turns = rows.map((row) => ({
      ...row,
      name: `spin ${row.nonce} of pair ${row.pairId}`,
      key: `spin:${row.memberId}:${row.number}:${row.nonce}`,
    }));
    await checkTurns(read, turns, logs, found);
  }
}

async function checkTurns(
  read: Tx,
  turns: readonly Turn[],
  logs: ReadonlyMap<string, number>,
  found: Findings,
): Promise<void> {
  const stated = await logsOf(
    read,
    turns.map(({ key }) => key),
  );
  for (const { name, key, origin } of turns) {
    // Whether it is stated at all is asked with its member's chain.
    const own = stated.get(key);
    found.check(
      origin === null || own === undefined || own.some((log) => log === logs.get(origin)),
      () => `${name}: its seed was derived in the name of another log than the one that states it`,
    );
  }
}

/** The logs that state members' leaves, by their keys. */
async function logsOf(read: Tx, keys: readonly string[]): Promise<Map<string, number[]>> {
  const said = await read
    .select({ key: memberLeaves.key, hash: memberLeaves.hash })
    .from(memberLeaves)
    .where(inArray(memberLeaves.key, [...keys]));
  const bySalted = new Map(said.map(({ key, hash }) => [saltedKey(kindOfKey(key), hash), key]));
  const leaves = await read
    .select({ key: logLeaves.key, log: logLeaves.log })
    .from(logLeaves)
    .where(inArray(logLeaves.key, [...bySalted.keys()]));
  const byKey = Map.groupBy(leaves, ({ key }) => bySalted.get(key)!);
  return new Map([...byKey].map(([key, rows]) => [key, rows.map(({ log }) => log)]));
}
