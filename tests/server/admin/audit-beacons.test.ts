import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { beaconChanges } from "#db/schema/lottery.ts";
import { auditBeaconChanges, BeaconAudit } from "#server/admin/audit/beacons.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { drandMode, drandRule, randomnessOf, signedAt, type BeaconChange } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { ordinalOf } from "#shared/lottery/schedule.ts";
import { ownChain } from "../../support/drand-relay.ts";
import { START } from "../../support/world.ts";
import { DAY, drawn, GAME, open, type Round } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

const CHAIN = ownChain();
const MODE = drandMode(CHAIN);
const MINUTE = 60_000;
const HOUR = 3_600_000;
const ordinal = (number: number) => ordinalOf(GAME, { day: DAY, number });

describe("the audit of changes of a beacon", () => {
  let rows: Rows;
  beforeAll(async () => {
    rows = await emptyRows();
  });
  beforeEach(() => rows.begin());
  afterEach(() => rows.forget());
  afterAll(() => rows.close());

  const change = (id: number, fromNumber: number, announcedAt: number, gameId = GAME.id) =>
    rows.read.insert(beaconChanges).values({ id, gameId, fromDay: DAY, fromNumber, mode: MODE, announcedAt });

  async function audited() {
    const found = new Findings();
    const changes = await auditBeaconChanges(rows.read, GAME, found);
    return { changes, problems: found.problems };
  }

  it("reads those of the game in the order in which they were announced", async () => {
    await change(2, 5, START);
    await change(1, 9, START + MINUTE);
    await change(3, 7, START, 2);
    expect(await audited()).toEqual({
      changes: [
        { from: ordinal(9), mode: MODE, announcedAt: START + MINUTE },
        { from: ordinal(5), mode: MODE, announcedAt: START },
      ],
      problems: [],
    });
  });

  it("names one that was announced less than two rounds ahead, unless the game began with it", async () => {
    await change(1, 3, START + MINUTE - 1);
    await change(2, 3, START + MINUTE);
    await change(3, 1, GAME.createdAt + 59 * MINUTE);
    await change(4, 1, START);
    expect((await audited()).problems).toEqual([
      "k3-1m: the beacon from 20260302-0003 was announced less than two rounds ahead",
      "k3-1m: the beacon from 20260302-0001 was announced less than two rounds ahead",
      "k3-1m: the beacon from 20260302-0001 was announced less than two rounds ahead",
    ]);
    const found = new Findings();
    await auditBeaconChanges(rows.read, { ...GAME, createdAt: START }, found);
    expect(found.problems).toHaveLength(2);
  });
});

const drand = (number: number, more: Partial<Round> = {}): Round => {
  const { drawsAt } = open(number);
  const closesAt = drawsAt - 8_000;
  return open(number, { closesAt, beaconRule: drandRule(CHAIN, closesAt), ...more });
};

const signed = (beaconRule: string) => {
  const beaconSignature = CHAIN.sign(Number(beaconRule.split(":")[2]));
  return { beaconRule, beaconSignature, beacon: randomnessOf(beaconSignature) };
};

const withBeacon = (number: number, more: Partial<Round> = {}): Round =>
  drawn(number, { ...drand(number), ...signed(drand(number).beaconRule), drawnAt: START, ...more });

/** A signature that nobody made: it is no point of the curve. */
const forged = (number: number) => {
  const beaconSignature = number.toString(16).padStart(96, "0");
  return { beaconSignature, beacon: randomnessOf(beaconSignature) };
};

const FROM_TWO: BeaconChange[] = [{ from: ordinal(2), mode: MODE }];

const auditOf = () => {
  const found = new Findings();
  return { found, audit: new BeaconAudit(beaconsOf(CHAIN), found) };
};

function problemsOf(round: Round, changes: BeaconChange[] = FROM_TWO): string[] {
  const { found, audit } = auditOf();
  audit.audit("a round", GAME, round, changes);
  audit.end();
  return found.problems;
}

const UNALLOWED = ["a round has a beacon that its rule does not allow"];

describe("the audit of a round's beacon", () => {
  it("finds nothing in rounds with none, before and after the draw", () => {
    expect([open(1), drawn(1), drand(2), withBeacon(2)].flatMap((round) => problemsOf(round))).toEqual([]);
  });

  it.each([
    ["a signature before the draw", { ...drand(2), beaconSignature: "ab" }],
    ["a beacon before the draw", { ...drand(2), beacon: "ab" }],
    ["a beacon without a rule, before the draw", open(1, { beacon: "ab" })],
    ["a rule that there is not, before the draw", open(1, { beaconRule: "dice" })],
    ["a rule that there is not, after the draw", drawn(1, { beaconRule: "dice" })],
    ["a beacon without a rule", drawn(1, { beacon: "ab" })],
    ["a draw without the beacon that its rule names", { ...withBeacon(2), beacon: "", beaconSignature: "" }],
    ["a beacon that does not follow from the signature", { ...withBeacon(2), beacon: "ab".repeat(32) }],
  ])("names %s, and says no more of it", (_, round) => {
    expect(problemsOf(round)).toEqual(UNALLOWED);
  });

  it("names a round that follows another beacon than was announced", () => {
    expect(problemsOf(open(2))).toEqual([`a round follows the beacon none, not ${MODE} as announced`]);
    expect(problemsOf(withBeacon(1))).toEqual([`a round follows the beacon ${MODE}, not none as announced`]);
  });

  const LATER = ["a round does not name the first beacon at least 3 s after its close, 8 s before its draw"];

  it("names a rule that is not the first after the close, and a close too near the draw", () => {
    const { closesAt, drawsAt } = drand(2);
    expect(problemsOf(drand(2, { beaconRule: drandRule(CHAIN, closesAt + 3_000) }))).toEqual(LATER);
    const near = drawsAt - 7_999;
    expect(problemsOf(drand(2, { closesAt: near, beaconRule: drandRule(CHAIN, near) }))).toEqual(LATER);
  });

  it("names stakes that went back though the beacon was at most an hour ahead", () => {
    const round = drand(2);
    const at = signedAt(CHAIN, Number(round.beaconRule.split(":")[2]));
    const returned = (refundedAt: number) => problemsOf({ ...round, refundedAt });
    expect(returned(at - HOUR - 1)).toEqual([]);
    expect(returned(at - HOUR)).toEqual(["a round returned its stakes, though its beacon was less than an hour ahead"]);
  });

  const UNSIGNED = "has a beacon that its chain did not sign for the round that its rule names";

  it("names a beacon that the chain did not sign, and one that it signed for another round", () => {
    expect(problemsOf({ ...withBeacon(2), ...forged(1) })).toEqual([`a round ${UNSIGNED}`]);
    const { beacon, beaconSignature } = withBeacon(3);
    expect(problemsOf({ ...withBeacon(2), beacon, beaconSignature })).toEqual([`a round ${UNSIGNED}`]);
  });

  it("names every round that shares a false beacon, once, and none that has a true one", () => {
    const { found, audit } = auditOf();
    audit.audit("the first", GAME, { ...withBeacon(2), ...forged(1) }, FROM_TWO);
    audit.audit("the true one", GAME, withBeacon(2), FROM_TWO);
    audit.audit("the second", GAME, { ...withBeacon(2), ...forged(1) }, FROM_TWO);
    expect(found.problems).toEqual([]);
    audit.end();
    audit.end();
    expect(found.problems).toEqual([`the first ${UNSIGNED}`, `the second ${UNSIGNED}`]);
  });

  it("keeps at most 256 signatures waiting", () => {
    const { found, audit } = auditOf();
    const ask = (i: number) => audit.audit(`round ${i}`, GAME, { ...withBeacon(2), ...forged(i) }, FROM_TWO);
    for (let i = 1; i <= 255; i++) ask(i);
    expect(found.problems).toEqual([]);
    ask(256);
    const names = Array.from({ length: 256 }, (_, i) => `round ${i + 1} ${UNSIGNED}`);
    expect(found.problems).toEqual(names);
    audit.end();
    expect(found.problems).toEqual(names);
  });
});
