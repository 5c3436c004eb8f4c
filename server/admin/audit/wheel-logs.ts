import { and, asc, eq, gt, inArray, isNotNull, isNull, min } from "drizzle-orm";
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
  await auditNamed(read, found);
  const logs = new Map((await read.select().from(logKeys)).map(({ origin, log }) => [origin, log]));
  const { id, memberId, number, origin } = wheelPairs;
  const pairs = (after: number, limit: number) =>
    read
      .select({ id, memberId, number, origin })
      .from(wheelPairs)
      .where(and(gt(id, after), isNotNull(origin)))
      .orderBy(asc(id))
      .limit(limit);
  for await (const rows of pagesOf(pairs)) {
    const turns = rows.map((row) => ({ ...row, name: `pair ${row.id}`, key: `pair:${row.memberId}:${row.number}` }));
    await checkTurns(read, turns, logs, found);
  }
  const spun = (after: number, limit: number) =>
    read
      .select({ id: spins.id, pairId: spins.pairId, nonce: spins.nonce, memberId, number, origin })
      .from(spins)
      .innerJoin(wheelPairs, eq(wheelPairs.id, spins.pairId))
      .where(and(gt(spins.id, after), isNotNull(origin)))
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

/** Pairs name a log since a migration. None does not that came later. */
async function auditNamed(read: Tx, found: Findings): Promise<void> {
  const { id, origin } = wheelPairs;
  const first = read
    .select({ id: min(id) })
    .from(wheelPairs)
    .where(isNotNull(origin));
  const [nameless] = await read
    .select({ id })
    .from(wheelPairs)
    .where(and(isNull(origin), gt(id, first)))
    .orderBy(asc(id))
    .limit(1);
  found.check(
    !nameless,
    () => `pair ${nameless!.id}: its seed was derived in the name of no log, as it was done before`,
  );
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
    const own = stated.get(key) ?? [];
    found.check(
      own.length === 0 || own.includes(logs.get(origin!) ?? 0),
      () => `${name}: its seed was derived in the name of another log than the one that states it`,
    );
  }
}

/** The logs that state members' leaves, by their keys. */
async function logsOf(read: Tx, keys: readonly string[]): Promise<Map<string, number[]>> {
  if (keys.length === 0) return new Map();
  const said = await read
    .select({ key: memberLeaves.key, hash: memberLeaves.hash })
    .from(memberLeaves)
    .where(inArray(memberLeaves.key, [...keys]));
  const bySalted = new Map(said.map(({ key, hash }) => [saltedKey(kindOfKey(key), hash), key]));
  if (bySalted.size === 0) return new Map();
  const leaves = await read
    .select({ key: logLeaves.key, log: logLeaves.log })
    .from(logLeaves)
    .where(inArray(logLeaves.key, [...bySalted.keys()]));
  const byKey = Map.groupBy(leaves, ({ key }) => bySalted.get(key)!);
  return new Map([...byKey].map(([key, rows]) => [key, rows.map(({ log }) => log)]));
}
