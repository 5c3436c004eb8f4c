import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { payouts } from "#db/schema/index.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { auditDraws } from "#server/admin/audit/draws.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { drandRule, randomnessOf } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { away, DrandRelay } from "../../support/drand-relay.ts";
import { diceFrom } from "../../support/recompute.ts";
import { START, type Player } from "../../support/world.ts";
import { drandWorld, modeOf, no, type DrandWorld } from "./drand-world.ts";
import { balanceOf, betSurely, roundOf } from "./failing-world.ts";
import { KEY } from "./rounds-world.ts";

/* Two servers on one database, each with relays of its own. */
let site: DrandWorld;
let other: Site;
let relay: DrandRelay;
let hand: Float64Array<SharedArrayBuffer>;
let player: Player;

beforeEach(async () => {
  site = await drandWorld();
  relay = await DrandRelay.start(site.honest);
  hand = new Float64Array(new SharedArrayBuffer(16));
  hand[0] = site.w.now();
  const { config } = site.w;
  other = await openSite(
    { ...config, headFile: `${config.headFile}-2`, beaconRelays: [relay.url] },
    {
      clock: { kind: "shared", buffer: hand.buffer },
      log: pino({ level: "silent" }),
      beacons: beaconsOf(site.chain),
    },
  );
  player = await site.w.player("bettor", { balance: 100 });
});
afterEach(async () => {
  await other.close();
  await relay.stop();
  await site.stop();
});

const servers = () => [site.w.site, other];

/** Both servers work at once. */
async function live(ms: number): Promise<void> {
  site.w.pass(ms);
  hand[0] = site.w.now();
  hand[1]! += ms;
  await Promise.all(servers().map((server) => server.rounds.tick()));
  await Promise.all(servers().map((server) => server.rounds.settle()));
  await Promise.all(servers().map((server) => server.relay.wake()));
}

async function until(isSo: () => Promise<boolean> | boolean, passMs = 0): Promise<void> {
  for (let i = 0; i < 400; i++) {
    await live(passMs);
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error("it never came to be so");
}

const at = (number: number, seconds = 0) => START + (number - 1) * 60_000 + seconds * 1_000;
const to = async (number: number, second = 0) => {
  while (site.w.now() < at(number, second)) await live(Math.min(20_000, at(number, second) - site.w.now()));
};
const isPaid = (number: number) => async () => (await roundOf(site.w, number)).settledAt !== null;

async function expectGenuine(number: number): Promise<void> {
  const { rule, beacon, ...fair } = await site.fair(no(number));
  expect(rule).toBe(drandRule(site.chain, at(number, 52)));
  expect(beacon).toBe(randomnessOf(site.chain.sign(Number(rule.split(":")[2]))));
  expect(fair.opencode).toEqual(diceFrom(fair.seed!, `${KEY}:${no(number)}:${beacon}`));
}

it("two servers draw each round once, from the same beacon, whichever of them can fetch it", async () => {
  expect(await site.follow(modeOf(site))).toBe(no(3));
  await until(() => other.deps.beacons.hasLooked);
  await to(3);
  // The first server gets no beacon, then the second one, then neither for a while, then both at once.
  for (const one of site.relays) one.answer = away;
  await betSurely(player, "lot_1", no(3));
  await to(4);
  await until(isPaid(3), 500);
  relay.answer = away;
  for (const one of site.relays) one.answer = site.honest;
  await betSurely(player, "lot_1", no(4));
  await to(5, 1);
  await until(isPaid(4), 500);
  for (const one of site.relays) one.answer = away;
  await betSurely(player, "lot_1", no(5));
  await to(7, 30);
  expect((await roundOf(site.w, 5)).drawnAt).toBeNull();
  for (const one of [...site.relays, relay]) one.answer = site.honest;
  await until(isPaid(5), 500);
  await until(isPaid(6), 500);

  for (const number of [3, 4, 5]) await expectGenuine(number);
  // Big and small together: half a unit of twenty is lost each time, whatever the dice.
  expect(await balanceOf(player)).toBe("98.50");
  const paid = await site.w.deps.db.read.select().from(payouts).orderBy(payouts.roundId);
  expect(paid.map(({ roundId, amount }) => [roundId, amount])).toEqual([3, 4, 5].map((id) => [id, 1_950]));
  const found = new Findings();
  const { read } = site.w.deps.db;
  await auditDraws(read, site.w.now(), await SignsOfLife.read(read, site.w.now()), found, beaconsOf(site.chain));
  expect(found.problems).toEqual([]);
});
