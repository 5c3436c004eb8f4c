import { describe, expect, it } from "vitest";
import { LogDates } from "#server/admin/audit/log-dates.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { drandMode, drandRule, namedBeacon, signedAt } from "#shared/lottery/beacon.ts";
import { LogCheck } from "#shared/log/check-log.ts";
import type { Leaf, LeafKind } from "#shared/log/leaf.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { entryOfLeaf, honestLog, KEY, ORIGIN, START } from "./honest-log.ts";
import { hashFor } from "./leaves.ts";
import { said } from "./spoiled-log.ts";
import { serverHash } from "./world.ts";

/* What a house dates back, so that it looks as if it had been done before something was known. */

const GAME = "k3-1m";
/** A chain that signs each second. */
const CHAIN = { hash: hashFor("chain"), publicKey: "", genesisS: 0, periodS: 1 };
/** The round that opens an hour and forty minutes after the log begins, and the one after it. */
const [round, next] = ["20260302-0101", "20260302-0102"];
const OPENS = START + 100 * MINUTE_MS;
const CLOSES = OPENS + 52 * SECOND_MS;

const beacons = {
  namesFirst: () => true,
  fits: () => true,
  areSigned: (all: readonly unknown[]) => all.map(() => true),
  signedAt: (rule: string) => (rule === "none" ? null : signedAt(CHAIN, namedBeacon(rule)!.round)),
};

/** Two hours of a game with a round a minute, whose rounds take a beacon. */
function drandLog(): Leaf[] {
  const mode = drandMode(CHAIN);
  return [...honestLog({ hours: 2, games: [{ key: GAME, kind: "dice-sum", periodS: 60 }] })].map((leaf) => {
    if (leaf.kind === "beacon") return { ...leaf, mode };
    if (leaf.kind === "open") {
      const closes = leaf.draws - 8 * SECOND_MS;
      return { ...leaf, closes, beacon_rule: drandRule(CHAIN, closes) };
    }
    return leaf.kind === "draw" ? { ...leaf, beacon: "ab", beacon_signature: "cd" } : leaf;
  });
}

/** What a stranger says, who reads the log, and the operator's audit. */
function check(leaves: readonly Leaf[]) {
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
const indexOf = <K extends LeafKind>(log: readonly Leaf[], kind: K, place: Partial<Leaf<K>>): number =>
  log.findIndex((leaf) => isOf(leaf, kind, place));

/** In place of the draw, the stakes of the round went back at that moment. Rounds from `gone` on are not there. */
function refunded(log: Leaf[], at: number): Leaf[] {
  const { bets, stake, bets_root } = log[indexOf(log, "close", { round })] as Leaf<"close">;
  const refund = { kind: "refund", game: GAME, round, bets, stake, bets_root, reason: "clock", at } as const;
  return log.flatMap((leaf) => {
    if (isOf(leaf, "draw", { round })) return [refund];
    return isOf(leaf, "settle", { round }) ? [] : [leaf];
  });
}

/** A leaf that a house adds before another one. */
const before = <K extends LeafKind>(log: Leaf[], leaf: Leaf, kind: K, place: Partial<Leaf<K>>): Leaf[] =>
  log.toSpliced(indexOf(log, kind, place), 0, leaf);
const iso = (at: number) => new Date(at).toISOString();

describe("stakes that went back", () => {
  it("in a log whose draws have told the time were not dated back by an hour", () => {
    const at = CLOSES - HOUR_MS - SECOND_MS;
    const { problems, notes, audit } = check(refunded(drandLog(), at));
    expect(problems).toEqual([
      expect.stringContaining(`${GAME} ${round}: stakes went back at ${iso(at)}, as is said `),
    ]);
    expect(audit).toEqual([
      expect.stringContaining(`the log's refund of round ${GAME} ${round} is dated ${iso(at)}, `),
    ]);
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`^${GAME} ${round}: the \`refund\` is dated ${iso(at)}, and the first head`)),
    ]);
  });

  it("nor before the log began, nor where a head follows at once, as under a clock that was set back", () => {
    expect(check(refunded(drandLog(), START - HOUR_MS)).problems).toHaveLength(1);
    const log = refunded(drandLog(), CLOSES - HOUR_MS - SECOND_MS);
    const at = indexOf(log, "refund", { round });
    const { time } = log.slice(0, at).findLast((leaf): leaf is Leaf<"time"> => leaf.kind === "time")!;
    expect(check(log.toSpliced(at + 1, 0, { kind: "time", time: time + 1 })).problems).toHaveLength(1);
  });

  it("nor in a log that has shown no beacon yet", () => {
    const log = drandLog();
    const isLater = (leaf: Leaf) => "round" in leaf && leaf.round < round;
    expect(
      check(
        refunded(
          log.filter((leaf) => !isLater(leaf)),
          CLOSES - HOUR_MS - SECOND_MS,
        ),
      ).problems,
    ).toEqual([expect.stringContaining(`${GAME} ${round}: stakes went back at `)]);
  });
});

describe("what is announced", () => {
  it.each([
    ["a pause", { kind: "pause", game: GAME, from: next, reason: "new dice" }],
    ["the end of a pause", { kind: "resume", game: GAME, from: next }],
    ["another beacon", { kind: "beacon", game: GAME, mode: "none", from: next }],
  ] as const)("is told where %s was dated back by two rounds", (_what, leaf) => {
    const at = OPENS - MINUTE_MS + 30 * SECOND_MS;
    const { problems, audit } = check(before(drandLog(), { ...leaf, at }, "open", { round: next }));
    const says = `${GAME}: the \`${leaf.kind}\` from ${next} on is dated ${iso(at)}, and heads that came after that did not hold it.`;
    expect(problems.filter((one) => one.includes("dated"))).toEqual([says]);
    expect(audit).toEqual([
      expect.stringContaining(`the log's ${leaf.kind} of ${GAME} from ${next} is dated ${iso(at)}, `),
    ]);
  });

  it("is told where it is in a head only after the round was to open", () => {
    const log = drandLog();
    const at = OPENS - SECOND_MS;
    const pause = { kind: "pause", game: GAME, from: next, reason: "new dice", at } as const;
    const isGone = (leaf: Leaf) => "round" in leaf && leaf.round >= next;
    const late = before(log, pause, "close", { round: next }).filter((leaf) => !isGone(leaf));
    expect(check(late).problems).toContainEqual(expect.stringMatching(/the `pause` from .* did not hold it\.$/));
  });

  it("may be in a head much later, where none came before: the database was away, or no server ran", () => {
    const log = drandLog();
    const at = OPENS + 10 * SECOND_MS;
    const from = "20260302-0103";
    const quiet = (leaf: Leaf) => {
      const time = leaf.kind === "time" ? leaf.time : null;
      return time !== null && time > at - 5 * SECOND_MS && time < at + 9 * MINUTE_MS;
    };
    const told = before(log, { kind: "pause", game: GAME, from, reason: "", at }, "close", { round });
    const { problems, audit } = check(told.filter((leaf) => !quiet(leaf)));
    expect([problems.filter((one) => one.includes("dated")), audit]).toEqual([[], []]);
  });
});

it("a pause that was announced under a clock that had been ahead and was just set right is noted, and no problem", () => {
  const log = [...honestLog({ hours: 2, games: [{ key: GAME, kind: "dice-sum", periodS: 60 }] })];
  const at = OPENS - 5 * MINUTE_MS;
  const pause = { kind: "pause", game: GAME, from: "20260302-0105", reason: "repairs", at } as const;
  const head = indexOf(log, "close", { round }) + 2;
  const { time } = log[head] as Leaf<"time">;
  const { problems, notes, audit } = check(log.toSpliced(head + 1, 0, pause, { kind: "time", time: time + 1 }));
  expect([problems, audit]).toEqual([[], []]);
  expect(notes).toContainEqual(expect.stringContaining(`the \`pause\` is dated ${iso(at)}, and the first head`));
});

describe("a draw that came late and is dated on time", () => {
  it("is noted where its head came two minutes later", () => {
    const log = drandLog();
    const [draw] = log.splice(indexOf(log, "draw", { round }), 1);
    const { notes } = check(before(log, draw!, "draw", { round: "20260302-0103" }));
    expect(notes).toContainEqual(expect.stringMatching(new RegExp(`^${GAME} ${round}: the \`draw\` is dated `)));
  });
});
