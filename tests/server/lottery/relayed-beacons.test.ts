import { setImmediate, setTimeout } from "node:timers/promises";
import mitt from "mitt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DomainEvents } from "#server/app/deps.ts";
import { openLog } from "#server/app/log.ts";
import { RelayedBeacons, signatureFor } from "#server/domains/lottery/beacons.ts";
import { ruleOf, signedAt, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { away, DrandRelay, honest, ownChain } from "../../support/drand-relay.ts";

const chain = ownChain();
const FIRST = 1_000_000;
const START = signedAt(chain, FIRST);
const [DEBUG, WARN, ERROR] = [20, 40, 50];
const named = (round: number) => ({ chain: chain.hash, round });

let relays: [DrandRelay, DrandRelay];
let beacons: RelayedBeacons;
/** This clock, and what has passed whatever it shows. */
let [now, elapsed] = [START, 0];
/** The relays' clock. */
let truth = START;
/** How many answers of relays were dealt with since they were last waited for. */
let handled = 0;
let said: { level: number; msg: string; [field: string]: unknown }[];
let came: DomainEvents["beacon.came"][];

const right = honest(chain, () => truth);
/** Answers nobody, ever. */
const silent = () => null;

function start(check: BeaconCheck = beaconsOf(chain), clock: { now: () => number; elapsed?: () => number } = clocks()) {
  const bus = mitt<DomainEvents>();
  bus.on("beacon.came", (event) => came.push(event));
  const log = openLog("debug", {
    write(line: string) {
      said.push(JSON.parse(line));
      if (said.at(-1)!.level === DEBUG) handled++;
    },
  });
  const { chains } = check;
  const isSigned: BeaconCheck["isSigned"] = (beacon, signature) => {
    handled++;
    return check.isSigned(beacon, signature);
  };
  const urls = relays.map(({ url }) => url);
  beacons = new RelayedBeacons({ clock, log, bus }, { chains, isSigned }, urls);
}
const clocks = () => ({ now: () => now, elapsed: () => elapsed });

beforeEach(async () => {
  [now, elapsed, truth, handled, said, came] = [START, 0, START, 0, [], []];
  relays = [await DrandRelay.start(right), await DrandRelay.start(right)];
  start();
});
afterEach(async () => {
  for (const relay of relays) await relay.stop();
});

const answer = (first: DrandRelay["answer"], second = first) => {
  [relays[0].answer, relays[1].answer] = [first, second];
};
/** What each relay was asked for since. */
const asked = () => relays.map((relay) => relay.asked.splice(0).map((path) => path.split("/").at(-1)));
const pass = (ms: number) => {
  [now, elapsed, truth] = [now + ms, elapsed + ms, truth + ms];
};
async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { interval: 1 }).toBe(true);
}
/** So many answers came, and what follows from them is done. */
async function answered(count: number): Promise<void> {
  await until(() => handled >= count);
  handled = 0;
  await setImmediate();
}
/** Long enough for a relay to be asked that must not be. */
const rest = () => setTimeout(40);
const lines = (level: number) => said.filter((line) => line.level === level);

/** Looks, and waits for the answers that come. */
async function look(answers: number): Promise<void> {
  beacons.look(chain);
  if (answers) await answered(answers);
  await rest();
}

describe("a beacon that a draw waits for", () => {
  it("is not asked for before it is signed, nor of a chain that nobody knows", async () => {
    expect(beacons.find({ chain: "00".repeat(32), round: 1 })).toBeNull();
    expect(beacons.find(named(FIRST + 1))).toBeNull();
    pass(2_999);
    expect(beacons.find(named(FIRST + 1))).toBeNull();
    await rest();
    expect(asked()).toEqual([[], []]);
    pass(1);
    expect(beacons.find(named(FIRST + 1))).toBeNull();
    await until(() => came.length > 0);
    expect(asked()).toEqual([[String(FIRST + 1)], []]);
  });

  it("is asked for once at a time, told to all, and known from then on", async () => {
    for (let i = 0; i < 3; i++) expect(beacons.find(named(FIRST))).toBeNull();
    await until(() => came.length > 0);
    const signature = chain.sign(FIRST);
    expect([beacons.find(named(FIRST)), beacons.findForGuests(named(FIRST))]).toEqual([signature, signature]);
    await rest();
    expect(came).toEqual([{ rule: ruleOf(named(FIRST)), signature }]);
    expect(asked()).toEqual([[String(FIRST)], []]);
  });

  it("is asked for again after 1, 2, 4, 8, and then each 10 seconds, which the log says once", async () => {
    answer(away);
    beacons.find(named(FIRST));
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      await answered(2);
      expect(asked()).toEqual([[String(FIRST)], [String(FIRST)]]);
      pass(pauseMs - 1);
      expect(beacons.find(named(FIRST))).toBeNull();
      await rest();
      expect(asked()).toEqual([[], []]);
      pass(1);
      expect(beacons.find(named(FIRST))).toBeNull();
    }
    await answered(2);
    expect(lines(ERROR)).toMatchObject([
      { beacon: `${chain.hash}:${FIRST}`, msg: "no relay has a beacon that a draw waits for" },
    ]);
    expect(lines(DEBUG)[0]).toMatchObject({
      relay: relays[0].url,
      wanted: FIRST,
      reason: "it answers 503",
      msg: "a relay gave no beacon",
    });
  });

  it("that comes in the end is told to the log once, and the next absence again", async () => {
    answer(away);
    beacons.find(named(FIRST));
    await until(() => lines(ERROR).length === 1);
    answer(right);
    pass(10_000);
    await rest();
    beacons.find(named(FIRST));
    beacons.find(named(FIRST + 1));
    await until(() => came.length === 2);
    expect(lines(WARN)).toMatchObject([{ relay: relays[0].url, msg: "beacons arrive again" }]);
    answer(away);
    beacons.find(named(FIRST + 2));
    await until(() => lines(ERROR).length === 2);
  });

  it("begins with the shortest pause again for another round", async () => {
    answer(away);
    beacons.find(named(FIRST));
    await until(() => lines(ERROR).length === 1);
    pass(3_000);
    beacons.find(named(FIRST + 1));
    await answered(4);
    asked();
    pass(1_000);
    beacons.find(named(FIRST + 1));
    await answered(2);
    expect(asked()).toEqual([[String(FIRST + 1)], [String(FIRST + 1)]]);
  });

  it("with a false signature is refused, which the log says, and the next relay is asked", async () => {
    answer(() => ({ body: { round: FIRST, signature: chain.sign(FIRST - 1) } }), right);
    beacons.find(named(FIRST));
    await until(() => came.length > 0);
    expect(came[0]!.signature).toBe(chain.sign(FIRST));
    expect(lines(ERROR)).toMatchObject([
      { relay: relays[0].url, round: FIRST, msg: "a relay gave a beacon with a false signature" },
    ]);
  });

  it("is asked first of the relay that answered last", async () => {
    answer(away, right);
    beacons.find(named(FIRST));
    await until(() => came.length === 1);
    expect(asked()).toEqual([[String(FIRST)], [String(FIRST)]]);
    answer(right);
    beacons.find(named(FIRST - 1));
    await until(() => came.length === 2);
    expect(asked()).toEqual([[], [String(FIRST - 1)]]);
    answer(right, away);
    beacons.find(named(FIRST - 2));
    await until(() => came.length === 3);
    expect(asked()).toEqual([[String(FIRST - 2)], [String(FIRST - 2)]]);
    beacons.find(named(FIRST - 3));
    await until(() => came.length === 4);
    expect(asked()).toEqual([[String(FIRST - 3)], []]);
  });

  it("waits for its turn: 16 are fetched at once for draws, and four for guests, who keep no draw waiting", async () => {
    answer(silent);
    const rounds = Array.from({ length: 30 }, (_, i) => FIRST - i);
    for (const round of rounds) expect(beacons.findForGuests(named(round))).toBeNull();
    await until(() => relays[0].asked.length === 4);
    for (const round of rounds) expect(beacons.find(named(round))).toBeNull();
    await until(() => relays[0].asked.length === 20);
    await rest();
    expect(asked()[0]).toEqual(rounds.slice(0, 20).map(String));
  });

  it("makes room for others once it has been fetched", async () => {
    const rounds = Array.from({ length: 40 }, (_, i) => FIRST - i);
    for (let turn = 1; turn <= 3; turn++) {
      for (const round of rounds) beacons.find(named(round));
      await until(() => came.length === Math.min(16 * turn, 40));
      await rest();
    }
    const guests = new Set<number>();
    for (let turn = 1; turn <= 2; turn++) {
      for (const round of [50, 51, 52, 53, 54, 55, 56, 57]) if (!beacons.findForGuests(named(round))) guests.add(round);
      await until(() => came.length === 40 + 4 * turn);
      await rest();
    }
    expect(guests.size).toBe(8);
  });
});

describe("a thousand beacons", () => {
  const SIGNATURE = "ab".repeat(48);
  const anything: BeaconCheck = { chains: [chain], isSigned: () => true };
  const wanted = (path: string) => Number(path.split("/").at(-1));

  it("are known, and of more the first is forgotten", async () => {
    start(anything);
    answer((path) => ({ body: { round: wanted(path), signature: SIGNATURE } }));
    const fetch = async (round: number) => {
      const before = came.length;
      expect(beacons.find(named(round))).toBeNull();
      await until(() => came.length > before);
    };
    for (let round = 1; round <= 1_000; round++) await fetch(round);
    expect(beacons.find(named(1))).toBe(SIGNATURE);
    await fetch(1_001);
    expect(beacons.find(named(2))).toBe(SIGNATURE);
    await fetch(1);
    expect(beacons.find(named(3))).toBe(SIGNATURE);
    await fetch(2);
  });

  it("that nobody has are waited for, and of more all are asked for anew", async () => {
    start(anything);
    answer(away);
    const fail = async (round: number) => {
      const before = relays[1].asked.length;
      expect(beacons.find(named(round))).toBeNull();
      await until(() => relays[1].asked.length > before && lines(DEBUG).length >= 2 * relays[1].asked.length);
    };
    for (let round = 1; round <= 1_000; round++) await fail(round);
    await rest();
    asked();
    beacons.find(named(1));
    await rest();
    expect(asked()).toEqual([[], []]);
    said.length = 0;
    await fail(1_001);
    await rest();
    asked();
    handled = 0;
    beacons.find(named(1));
    beacons.find(named(1_001));
    await answered(2);
    await rest();
    expect(asked()).toEqual([["1"], ["1"]]);
  });
});

describe("the clock, beside the newest beacon", () => {
  it("is neither right nor wrong before anybody was asked", () => {
    expect([beacons.hasLooked, beacons.isClockConfirmed, beacons.clockOffByMs]).toEqual([false, false, 0]);
  });

  it("is right where one relay says so, and is compared every 20 seconds after three looks with two seconds between", async () => {
    for (let times = 1; times <= 3; times++) {
      await look(1);
      expect(asked()).toEqual([["latest"], []]);
      expect([beacons.hasLooked, beacons.isClockConfirmed, beacons.clockOffByMs]).toEqual([true, true, 0]);
      const pauseMs = times < 3 ? 2_000 : 20_000;
      pass(pauseMs - 1);
      await look(0);
      expect(asked()).toEqual([[], []]);
      pass(1);
    }
    await look(1);
    expect(asked()).toEqual([["latest"], []]);
  });

  it("is compared once at a time", async () => {
    answer(silent);
    beacons.look(chain);
    await until(() => relays[0].asked.length === 1);
    pass(60_000);
    await look(0);
    expect([beacons.hasLooked, asked()]).toEqual([false, [["latest"], []]]);
  });

  it("counts as compared even in vain", async () => {
    answer(away);
    await look(2);
    expect([beacons.hasLooked, beacons.isClockConfirmed, beacons.clockOffByMs]).toEqual([true, false, 0]);
    expect(asked()).toEqual([["latest"], ["latest"]]);
  });

  it("may be a second behind the newest beacon, and no more", async () => {
    now = START - 1_000;
    await look(1);
    expect([beacons.clockOffByMs, beacons.isClockConfirmed]).toEqual([0, true]);
    now -= 1;
    expect([beacons.clockOffByMs, beacons.isClockConfirmed]).toEqual([-1_001, false]);
  });

  it("may be ten seconds ahead of the next beacon, and no more; before it counts as ahead, all relays are asked", async () => {
    await look(1);
    asked();
    now = START + 13_000;
    expect([beacons.clockOffByMs, beacons.isClockConfirmed]).toEqual([0, true]);
    now += 1;
    expect([beacons.clockOffByMs, beacons.isClockConfirmed]).toEqual([10_001, false]);
    [now, elapsed] = [now + 2_000, elapsed + 2_000];
    await look(2);
    expect(asked()).toEqual([["latest"], ["latest"]]);
  });

  it("is right if the first relay is behind and the second is not", async () => {
    answer(
      honest(chain, () => truth - 60_000),
      right,
    );
    await look(2);
    expect([asked(), beacons.isClockConfirmed]).toEqual([[["latest"], ["latest"]], true]);
  });

  it("goes with what has passed since the beacon, and with the beacon that says most", async () => {
    elapsed = 10_000;
    await look(1);
    // The same beacon again says less than it did.
    [now, elapsed] = [now + 2_000, elapsed + 2_000];
    await look(1);
    now = START + 1_000;
    expect(beacons.clockOffByMs).toBe(0);
    now -= 1;
    expect(beacons.clockOffByMs).toBe(-1_001);
    // Another one has come while less time passed here than there.
    truth += 6_000;
    [now, elapsed] = [START + 6_000, elapsed + 2_000];
    await look(1);
    expect(beacons.clockOffByMs).toBe(0);
    now = START + 6_000 - 1_000;
    expect(beacons.clockOffByMs).toBe(0);
    now -= 1;
    expect(beacons.clockOffByMs).toBe(-1_001);
  });

  it("that is wrong is told to the log once, and compared every two seconds until it is right again", async () => {
    for (let times = 0; times < 3; times++) {
      await look(1);
      pass(2_000);
    }
    now += 60_000;
    asked();
    for (let times = 0; times < 3; times++) {
      await look(2);
      pass(2_000);
    }
    expect(asked()[0]).toEqual(["latest", "latest", "latest"]);
    expect(lines(ERROR)).toMatchObject([
      { offByMs: 57_000, msg: "the clock disagrees with the newest beacon: no round is opened" },
    ]);
    now -= 60_000;
    await look(0);
    pass(20_000);
    await look(1);
    expect(lines(ERROR)).toHaveLength(1);
    expect(lines(WARN)).toMatchObject([{ msg: "the clock agrees with the newest beacon again" }]);
  });

  it("stands for what has passed where nothing else tells it", async () => {
    start(beaconsOf(chain), { now: () => now });
    await look(1);
    now += 2_000;
    await look(1);
    now += 1_999;
    await look(0);
    expect([asked(), beacons.clockOffByMs]).toEqual([[["latest", "latest"], []], 0]);
  });
});

it("what a round waits for is nothing without a beacon, or with one of a chain that nobody knows", async () => {
  expect(signatureFor(beacons, "none")).toBe("");
  expect(signatureFor(beacons, ruleOf({ chain: "00".repeat(32), round: 1 }))).toBe("");
  expect(signatureFor(beacons, ruleOf(named(FIRST)))).toBeNull();
  await until(() => came.length > 0);
  expect(signatureFor(beacons, ruleOf(named(FIRST)))).toBe(chain.sign(FIRST));
});
