import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beaconChanges } from "#db/schema/lottery.ts";
import { auditDraws } from "#server/admin/audit/draws.ts";
import { nextDueAt } from "#server/domains/lottery/advance.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { drandRule, randomnessOf, signedAt } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { away, ownChain } from "../../support/drand-relay.ts";
import { diceFrom } from "../../support/recompute.ts";
import { openConnection } from "../../support/own-connection.ts";
import { unguard } from "../../support/copies.ts";
import { TestSocket } from "../../support/client.ts";
import { START, type Player } from "../../support/world.ts";
import { reasonOf } from "../../support/reason-of.ts";
import { drandWorld, modeOf, no, type DrandWorld } from "./drand-world.ts";
import { balanceOf, betSurely, payoutsOf, roundOf } from "./failing-world.ts";
import { KEY } from "./rounds-world.ts";

let site: DrandWorld;

beforeEach(async () => {
  site = await drandWorld();
});
afterEach(() => site.stop());

const at = (number: number, seconds = 0) => START + (number - 1) * 60_000 + seconds * 1_000;
const drawn = (number: number) => async () => (await site.fair(no(number))).drawn !== null;
/** Brings the clock to a second of a round, with the server at work. */
const to = async (number: number, second = 0) => {
  while (site.w.now() < at(number, second)) await site.w.live(Math.min(20_000, at(number, second) - site.w.now()));
};
/** Follows our chain, and lives to the first second of round 3, the first under it. */
async function underway(): Promise<void> {
  expect(await site.follow(modeOf(site))).toBe(no(3));
  await to(3);
  await site.until(async () => (await site.info()).next_expect === no(3));
}

async function audited() {
  const found = new Findings();
  const { read } = site.w.deps.db;
  await auditDraws(read, site.w.now(), await SignsOfLife.read(read, site.w.now()), found, beaconsOf(site.chain));
  return found;
}

/** The dice as anybody computes them from the published seed and our chain's own signature. */
async function expectGenuine(number: number) {
  const fair = await site.fair(no(number));
  const rule = drandRule(site.chain, at(number, 52));
  const signature = site.chain.sign(Number(rule.split(":")[2]));
  const beacon = randomnessOf(signature);
  expect(fair).toMatchObject({
    rule,
    beacon,
    beacon_signature: signature,
    closes: at(number, 52),
    due: at(number + 1),
  });
  expect(fair.opencode).toEqual(diceFrom(fair.seed!, `${KEY}:${no(number)}:${beacon}`));
}

describe("another beacon", () => {
  it("acts from the round after next, is told to everybody, and changes nothing of the rounds before", async () => {
    await underway();
    const told = (await site.w.call("/fair/beacons", { key: KEY }, { method: "GET" })).data;
    expect(told).toEqual([{ game: KEY, mode: modeOf(site), from: no(3), at: START }]);
    expect((await site.rounds()).map(({ beaconRule, closesAt }) => [beaconRule, closesAt])).toEqual([
      ["none", at(1, 57)],
      ["none", at(2, 57)],
      [drandRule(site.chain, at(3, 52)), at(3, 52)],
    ]);
    expect(await site.info()).toMatchObject({ beacon: "drand", close_ms: at(3, 52), draw_ms: at(4) });
    expect(await site.follow("none")).toBe(no(5));
    expect(await site.follow("none")).toBeNull();
    await to(5);
    await site.until(async () => (await site.info()).next_expect === no(5));
    expect(await site.info()).toMatchObject({ beacon: "none", close_ms: at(5, 57) });
    expect((await audited()).problems).toEqual([]);
  });

  it("is announced in rows that nobody changes or deletes", async () => {
    await site.follow(modeOf(site));
    const { db } = site.w.deps;
    const change = db.transact((tx) => tx.update(beaconChanges).set({ mode: "none" })).catch(reasonOf);
    expect(await change).toMatch(/never changed/);
    expect(await db.transact((tx) => tx.delete(beaconChanges)).catch(reasonOf)).toMatch(/never deleted/);
  });

  it("that this version does not know opens no round", async () => {
    expect(await site.follow(`drand:${"ee".repeat(32)}`)).toBe(no(3));
    await to(4);
    expect((await site.rounds()).map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe("a round with a beacon", () => {
  let player: Player;
  beforeEach(async () => {
    await underway();
    player = await site.w.player("bettor", { balance: 100 });
  });
  const wins = async (rounds: number) => expect(await balanceOf(player)).toBe((100 - rounds * 0.5).toFixed(2));

  it("takes no bet in its last eight seconds, is drawn from its beacon on time, and is paid", async () => {
    await betSurely(player, "lot_1", no(3));
    await to(3, 52);
    const order = { item: "A", money: "1", lid: "lot_1", mid: "", expect: no(3) };
    expect((await player.call("/game/placeOrder", order)).code).not.toBe(200);
    expect(await site.info()).toMatchObject({ state: "drawing", awaits_beacon: null });
    await site.seconds(7);
    await site.until(() => site.relays.some(({ asked }) => asked.some((path) => !path.endsWith("latest"))));
    expect((await site.fair(no(3))).drawn).toBeNull();
    await site.w.live(1_000);
    await site.until(drawn(3));
    expect((await site.fair(no(3))).drawn).toBe(at(4));
    await expectGenuine(3);
    await wins(1);
    expect(await audited()).toMatchObject({ problems: [], notes: [] });
  });

  it("asks nobody for its beacon before its time, and then asks once", async () => {
    await to(3, 54);
    expect(site.relays.flatMap(({ asked }) => asked).filter((path) => !path.endsWith("latest"))).toEqual([]);
    await site.seconds(6);
    await site.until(drawn(3));
    const { beaconRule } = await roundOf(site.w, 3);
    const asked = site.relays.flatMap((relay) => relay.asked).filter((path) => !path.endsWith("latest"));
    expect(asked).toEqual([`/${site.chain.hash}/public/${beaconRule.split(":")[2]}`]);
  });

  it("tells its watchers the beacon as soon as a relay has it, before the result, and nobody a forged one", async () => {
    const address = await site.w.listen();
    const [watcher, other] = [new TestSocket(address), new TestSocket(address)];
    await watcher.watch(KEY);
    await other.until("hello");
    site.relays[0].answer = () => ({ body: { round: 1, signature: site.chain.sign(1) } });
    await to(3, 52);
    await site.w.live(0);
    const { beaconRule: rule } = await roundOf(site.w, 3);
    const signature = site.chain.sign(Number(rule.split(":")[2]));
    const signedMs = signedAt(site.chain, Number(rule.split(":")[2]));
    // The clock that drives rounds wakes for it, and neither asks before nor waits for its next second.
    expect(await nextDueAt(site.w.deps, await findGame(site.w.deps.db.read, KEY), site.w.now())).toBe(signedMs + 400);
    await site.w.live(signedMs + 400 - site.w.now());
    expect(await watcher.until("fair:beacon")).toEqual({ rule, signature });
    expect((await site.fair(no(3))).drawn).toBeNull();
    await to(4);
    await site.until(drawn(3));
    await watcher.until("lottery:result", ({ expect: round }) => round === no(3));
    expect(watcher.all("fair:beacon")).toHaveLength(1);
    expect(other.all("fair:beacon")).toEqual([]);
    for (const socket of [watcher, other]) socket.close();
  });

  it("waits while every relay is away, says so, and is drawn late from the same beacon; nothing is void", async () => {
    await betSurely(player, "lot_1", no(3));
    const socket = new TestSocket(await site.w.listen());
    await socket.watch(KEY);
    for (const relay of site.relays) relay.answer = away;
    await to(4, 2);
    expect((await site.info()).awaits_beacon).toBeNull();
    await to(4, 4);
    await socket.until("lottery:countdown", ({ awaits_beacon }) => awaits_beacon === no(3));
    expect(await site.info()).toMatchObject({ next_expect: no(4), state: "open", awaits_beacon: no(3) });
    await betSurely(player, "lot_1", no(4));
    for (let part = 0; part < 5; part++) await site.w.live(600_000);
    for (let minute = 0; minute < 10; minute++) await site.w.live(60_000);
    const before = await site.rounds();
    expect(before.filter(({ drawnAt, number }) => drawnAt !== null && number > 2)).toEqual([]);
    expect(before.filter(({ failedAt, skippedAt }) => failedAt !== null || skippedAt !== null)).toEqual([]);
    expect(await payoutsOf(site.w, 3)).toEqual([]);
    expect((await audited()).problems).toEqual([]);
    expect((await audited()).notes[0]).toMatch(/is not drawn: .* and may wait for its beacon/);

    for (const relay of site.relays) relay.answer = site.honest;
    await site.untilLater(async () => (await drawn(3)()) && (await drawn(4)()));
    await expectGenuine(3);
    await expectGenuine(4);
    await site.untilLater(async () => (await site.info()).awaits_beacon === null);
    await wins(2);
    const { problems, notes } = await audited();
    expect(problems).toEqual([]);
    expect(notes[0]).toMatch(/round k3-1m 20260302-0003 was drawn 36\d\d s after it was due/);
    socket.close();
  });

  it("refuses a forged beacon and one of another round, and takes the next relay's", async () => {
    const forger = ownChain(2);
    site.relays[0].answer = (path) => {
      const round = Number(path.split("/").at(-1)) || 1;
      return { body: { round, signature: forger.sign(round) } };
    };
    await to(4);
    await site.until(drawn(3));
    await expectGenuine(3);
    expect(site.w.logged.some((line) => line.includes("false signature"))).toBe(true);

    for (const relay of site.relays)
      relay.answer = (path) => {
        const round = Number(path.split("/").at(-1)) || 1;
        return { body: { round, signature: site.chain.sign(round + 1) } };
      };
    site.relays[1].answer = (path) => {
      const round = (Number(path.split("/").at(-1)) || 1) + 1;
      return { body: { round, signature: site.chain.sign(round) } };
    };
    await to(4, 59);
    const { beaconRule } = await roundOf(site.w, 4);
    const asked = (index: 0 | 1) =>
      site.relays[index].asked.filter((path) => path.endsWith(`/${beaconRule.split(":")[2]}`)).length;
    await site.untilLater(() => asked(0) > 1 && asked(1) > 1);
    expect((await site.fair(no(4))).drawn).toBeNull();
    site.relays[1].answer = site.honest;
    await site.untilLater(drawn(4));
    await expectGenuine(4);
  });

  it.each([
    ["nonsense", { body: "<html>" }],
    ["a refusal", { status: 500, body: {} }],
    ["far too much", { body: "x".repeat(100_000) }],
    ["no signature", { body: { round: 1 } }],
    ["nothing at all", null],
  ])("is drawn though a relay answers with %s", async (_, answer) => {
    site.relays[0].answer = () => answer;
    await to(4);
    await site.until(drawn(3));
    expect((await site.fair(no(3))).drawn).toBe(at(4));
    await expectGenuine(3);
  });

  it("is not drawn and not paid if somebody wrote another rule or a beacon into the database", async () => {
    await betSurely(player, "lot_1", no(3));
    const connection = await openConnection(site.w.config.database);
    await unguard(connection);
    const past = drandRule(site.chain, at(1));
    await connection.run(`update rounds set beacon_rule = '${past}' where number = 3`);
    await to(4, 5);
    await site.until(async () => (await roundOf(site.w, 3)).failedAt !== null);
    expect((await roundOf(site.w, 3)).failure).toBe("its rule does not name the first beacon after its close");
    const signature = ownChain(2).sign(9);
    const beacon = randomnessOf(signature);
    await connection.run(
      `update rounds set failed_at = null, failure = null, beacon_rule = '${drandRule(site.chain, at(3, 52))}', beacon = '${beacon}', beacon_signature = '${signature}' where number = 3`,
    );
    await site.until(async () => (await roundOf(site.w, 3)).failedAt !== null);
    expect((await roundOf(site.w, 3)).failure).toBe("it has a beacon that its rule does not allow");
    const fields = `failed_at = null, failure = null, drawn_at = ${at(4)}, seed = '${"ab".repeat(32)}', dice = '[6,6,6]'`;
    await connection.run(`update rounds set ${fields} where number = 3`);
    await site.until(async () => (await roundOf(site.w, 3)).failedAt !== null);
    expect(await payoutsOf(site.w, 3)).toEqual([]);
    await connection.close();
    expect((await audited()).problems).toEqual(
      expect.arrayContaining([
        `round k3-1m ${no(3)} has a beacon that its chain did not sign for the round that its rule names`,
      ]),
    );
  });
});

describe("a round in a gap under a beacon", () => {
  it("shows what it would have drawn, from the beacon that its planned close names", async () => {
    await underway();
    site.w.pass(4 * 60_000);
    await site.until(async () => (await site.info()).next_expect === no(7));
    await site.until(async () => (await site.fair(no(4))).gap!.opencode !== null);
    const missed = await site.fair(no(4));
    const rule = drandRule(site.chain, at(4, 52));
    const beacon = randomnessOf(site.chain.sign(Number(rule.split(":")[2])));
    expect(missed).toMatchObject({ rule, beacon, opencode: null, gap: { reason: "down" } });
    expect(missed.gap!.opencode).toEqual(diceFrom(missed.seed!, `${KEY}:${no(4)}:${beacon}`));
  });
});

describe("a server whose clock disagrees with the newest beacon", () => {
  const played = async () => (await site.rounds()).map(({ number }) => number);
  const off = () => site.w.deps.beacons.clockOffByMs;

  it("opens nothing while it is behind, and the gap says so once the clock is right", async () => {
    await underway();
    await to(3, 30);
    site.set(-5_000);
    await site.seconds(35);
    await to(4, 50);
    expect(await played()).toEqual([1, 2, 3]);
    expect(off()).toBeLessThan(-1_000);
    site.set(5_000);
    await to(5);
    await site.until(async () => (await site.info()).next_expect === no(5));
    expect(await site.gaps()).toEqual([{ gap_from: no(4), gap_to: no(4), reason: "clock" }]);
    expect(site.w.logged.some((line) => line.includes("the clock disagrees with the newest beacon"))).toBe(true);
  });

  it("is found three seconds behind within its first looks, before bets could follow their beacon", async () => {
    site.set(-3_000);
    await site.follow(modeOf(site));
    await site.seconds(5);
    await site.until(() => off() !== 0);
    expect(off()).toBeLessThanOrEqual(-2_000);
  });

  it("opens nothing at its start either, until a relay was asked", async () => {
    await underway();
    await to(3, 55);
    site.set(-10_000);
    await site.w.restart();
    await to(4, 1);
    expect(await played()).toEqual([1, 2, 3]);
    await site.until(() => site.w.deps.beacons.hasLooked);
    await site.w.settle();
    expect(await played()).toEqual([1, 2, 3]);
  });

  it("opens nothing while it is far ahead of what all relays say, and on when one says otherwise", async () => {
    await underway();
    await to(3, 30);
    site.set(20_000);
    await to(4, 5);
    expect(off()).toBeGreaterThan(10_000);
    expect(await played()).toEqual([1, 2, 3]);
    site.set(-20_000);
    await to(4, 6);
    await site.until(async () => (await played()).includes(4));
  });

  it("opens at its start when no relay answers: nobody says that its clock is wrong", async () => {
    await underway();
    for (const relay of site.relays) relay.answer = away;
    await site.w.restart();
    await to(4);
    await site.until(async () => (await played()).includes(4));
    expect(await site.info()).toMatchObject({ next_expect: no(4), state: "open" });
  });
});
