import { and, asc, desc, eq, isNull, notInArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { games, logHeads, logKeys, logLeaves } from "#db/schema/index.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import type { Findings } from "./findings.ts";
import { LogDates } from "./log-dates.ts";
import { LogFacts } from "./log-facts.ts";
import { LogHeads } from "./log-heads.ts";
import { auditKeys } from "./log-keys.ts";
import { nameOf } from "./log-names.ts";
import { LogRounds } from "./log-rounds.ts";
import { auditTree } from "./log-tree.ts";
import { auditStated } from "./log-stated.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

/** The public log as far as its leaves can be read. */
export interface AuditedLog {
  /** To compare each round with; null where a leaf is missing or unreadable, or there is no log yet. */
  rounds: LogRounds | null;
  /** How many leaves the newest log has, and their root as it was computed here. */
  leaves: number;
  root: string | null;
}

/**
 * Builds the public log anew from its leaves, and asks each of them for its rows, and rows for their leaves. Only the
 * newest log is compared with the tables: older ones state what was before a restore.
 */
export async function auditLog(
  read: Tx,
  signs: SignsOfLife,
  found: Findings,
  { chains }: Pick<BeaconCheck, "chains">,
): Promise<AuditedLog> {
  const keys = await read.select().from(logKeys).orderBy(asc(logKeys.log), asc(logKeys.id));
  const byLog = Map.groupBy(keys, ({ log }) => log);
  const newest = Math.max(...byLog.keys());
  const isStray = notInArray(logHeads.log, [...byLog.keys()]);
  const [stray] = await read.select({ log: logHeads.log }).from(logHeads).where(isStray).limit(1);
  found.check(!stray, () => `the log ${stray!.log} has heads and no key`);
  await auditKeys(read, signs, found);
  let audited: AuditedLog = { rounds: null, leaves: 0, root: null };
  const allGames = await read.select().from(games);
  const facts = LogFacts.read(read, allGames, found);
  for (const [log, own] of byLog) {
    const isNewest = log === newest;
    const life = { signs, hasEnded: !isNewest };
    const heads = new LogHeads(read, own as [(typeof own)[number], ...typeof own], life, found);
    const dates = new LogDates(chains, allGames, found);
    const isWhole = await auditTree(read, log, heads, found, async (leaves) => {
      for (const { leaf } of leaves) dates.add(leaf);
      if (isNewest) await facts.check(leaves);
    });
    await heads.checkCosignatures();
    if (!isNewest) continue;
    audited = { rounds: null, leaves: heads.last?.size ?? 0, root: heads.last?.root ?? null };
    if (!isWhole) continue;
    await auditWaiting(read, log, { facts, signs, since: heads.last?.at ?? own[0]!.createdAt }, found);
    // A clock may have been set back between the two.
    const began = Math.min(own[0]!.createdAt, heads.first?.at ?? Number.MAX_SAFE_INTEGER);
    await auditStated(read, { log, began, signs, games: allGames, keys: own }, facts, found);
    const beginning = { began, firstRound: facts.firstRound };
    audited.rounds = await LogRounds.read(read, log, { ...beginning, games: allGames, signs }, found);
  }
  return audited;
}

interface Waiting {
  facts: LogFacts;
  signs: SignsOfLife;
  /** When the newest head was made: leaves without a number are younger. */
  since: number;
}

/** Leaves without a number: their rows have to be there too, and no server may work on without numbering them. */
async function auditWaiting(read: Tx, log: number, { facts, signs, since }: Waiting, found: Findings): Promise<void> {
  const isWaiting = and(eq(logLeaves.log, log), isNull(logLeaves.number));
  const rows = await read.select().from(logLeaves).where(isWaiting).orderBy(desc(logLeaves.id));
  let at = since;
  for (const { text } of rows) {
    const leaf = text === null ? null : parseLeaf(text);
    found.check(leaf !== null, () => `a leaf of the log without a number has no form that the log knows: ${text}`);
    if (!leaf) continue;
    // Leaves of one transaction stand together; odds do not tell when they were stated.
    at = Math.max(since, (await facts.check([{ number: null, leaf }])) ?? at);
    const idle = signs.idleSince(at);
    found.check(
      idle === null,
      () => `the log's ${nameOf(leaf)} waits for its number: a server worked on for ${idle} s`,
    );
  }
}
