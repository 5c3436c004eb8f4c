import { drandMode, drandRule, namedBeacon, signedAt } from "#shared/lottery/beacon.ts";
import { LogDates } from "#server/admin/audit/log-dates.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogCheck } from "#shared/log/check-log.ts";
import type { Leaf, LeafKind } from "#shared/log/leaf.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { entryOfLeaf, honestLog, KEY, ORIGIN, START } from "./honest-log.ts";
import { hashFor } from "./leaves.ts";
import { said } from "./spoiled-log.ts";
import { serverHash } from "./world.ts";

/* A made log whose rounds take a beacon, and what is said of the dates in it. */

export const GAME = "k3-1m";
/** A chain that signs each second. */
const CHAIN = { hash: hashFor("chain"), publicKey: "", genesisS: 0, periodS: 1 };
/** The round that opens an hour and forty minutes after the log begins, and the one after it. */
export const ROUND = "20260302-0101";
export const NEXT = "20260302-0102";
export const OPENS = START + 100 * MINUTE_MS;
export const CLOSES = OPENS + 52 * SECOND_MS;

const beacons = {
  namesFirst: () => true,
  fits: () => true,
  areSigned: (all: readonly unknown[]) => all.map(() => true),
  signedAt: (rule: string) => (rule === "none" ? null : signedAt(CHAIN, namedBeacon(rule)!.round)),
};

/** Two hours of a game with a round a minute, without a beacon. */
export const plainLog = (): Leaf[] => [
  ...honestLog({ hours: 2, games: [{ key: GAME, kind: "dice-sum", periodS: 60 }] }),
];

/** The same with beacons. */
export function drandLog(): Leaf[] {
  const mode = drandMode(CHAIN);
  return plainLog().map((leaf) => {
    if (leaf.kind === "beacon") return { ...leaf, mode };
    if (leaf.kind === "open") {
      const closes = leaf.draws - 8 * SECOND_MS;
      return { ...leaf, closes, beacon_rule: drandRule(CHAIN, closes) };
    }
    return leaf.kind === "draw" ? { ...leaf, beacon: "ab", beacon_signature: "cd" } : leaf;
  });
}

/** What a stranger says, who reads the log, and the operator's audit of its dates. */
export function checkDates(leaves: readonly Leaf[]) {
  const log = new LogCheck({ key: KEY, hash: serverHash, beacons });
  for (const leaf of leaves) log.add(entryOfLeaf(leaf));
  const { findings } = log.end({ origin: ORIGIN, key: KEY });
  const found = new Findings();
  const dates = new LogDates([CHAIN], [{ key: GAME, periodS: 60, closeS: 3 }], found);
  for (const leaf of leaves) dates.add(leaf);
  const isDice = (sentence: string) => sentence.endsWith("the seed gives other dice.");
  const notes = said(findings, "note").filter(
    (note) => !/the anchor was logged|closed \d+ s (before|after)/.test(note),
  );
  return { problems: said(findings, "problem").filter((one) => !isDice(one)), notes, audit: found.problems };
}

const isOf = <K extends LeafKind>(leaf: Leaf, kind: K, place: Partial<Leaf<K>>): boolean =>
  leaf.kind === kind && Object.entries(place).every(([name, value]) => leaf[name as keyof Leaf] === value);
export const indexOf = <K extends LeafKind>(log: readonly Leaf[], kind: K, place: Partial<Leaf<K>>): number =>
  log.findIndex((leaf) => isOf(leaf, kind, place));

/** In place of its draw, the stakes of the round went back, as if at that moment. */
export function refunded(log: Leaf[], at: number): Leaf[] {
  const { bets, stake, bets_root } = log[indexOf(log, "close", { round: ROUND })] as Leaf<"close">;
  const refund = { kind: "refund", game: GAME, round: ROUND, bets, stake, bets_root, reason: "clock", at } as const;
  return log.flatMap((leaf) => {
    if (isOf(leaf, "draw", { round: ROUND })) return [refund];
    return isOf(leaf, "settle", { round: ROUND }) ? [] : [leaf];
  });
}

/** A leaf that a house adds before another one. */
export const before = <K extends LeafKind>(log: Leaf[], leaf: Leaf, kind: K, place: Partial<Leaf<K>>): Leaf[] =>
  log.toSpliced(indexOf(log, kind, place), 0, leaf);
