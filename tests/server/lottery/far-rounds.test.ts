import { afterEach, beforeEach, expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { advanceGames, type Advancing } from "#server/domains/lottery/advance.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { refundRound } from "#server/domains/lottery/refund-round.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { away } from "../../support/drand-relay.ts";
import { advancing } from "./advancing.ts";
import { betSurely } from "./failing-world.ts";
import { drandWorld, modeOf, type DrandWorld } from "./drand-world.ts";
import { KEY } from "./rounds-world.ts";

let site: DrandWorld;
let seeds: Seeds;
let events: string[];
/** The round that was opened while the clock was ahead. */
let far: number;

const read = () => site.w.deps.db.read;
const row = async () => (await read().select().from(rounds)).find(({ id }) => id === far)!;
const askedForNewest = () => site.relays.flatMap(({ asked }) => asked).filter((path) => path.endsWith("latest"));
const warned = () => site.w.logged.filter((line) => line.includes("stakes go back"));

async function advance(over: Partial<Advancing> = {}): Promise<string[]> {
  const { deps } = site.w;
  events = [];
  await advanceGames(deps, seeds, [await findGame(read(), KEY)], { ...advancing(deps, seeds, events), ...over });
  return events;
}

/** Opens a round while the clock is three hours ahead. Then the clock is put right, and the server begins anew without a relay. */
beforeEach(async () => {
  site = await drandWorld();
  seeds = new Seeds(site.w.deps.keys);
  await site.follow(modeOf(site));
  await site.w.live(2 * MINUTE_MS);
  await site.w.live(MINUTE_MS);
  site.set(3 * HOUR_MS);
  await advance();
  const opened = (await read().select().from(rounds)).at(-1)!;
  far = opened.id;
  await betSurely(await site.w.player("mia_1", { balance: 100 }), "lot_1", roundText(opened));
  for (const relay of site.relays) relay.answer = away;
  site.set(-3 * HOUR_MS);
  await site.w.restart();
  for (const relay of site.relays) relay.asked.length = 0;
});
afterEach(() => site.stop());

it("a round whose beacon lies too far ahead waits for the newest beacon, and is not asked for its own", async () => {
  expect(await advance()).toContain(`close ${far}`);
  expect((await row()).closedAt).not.toBeNull();
  const asked: string[] = [];
  await advance({
    signatureFor(rule) {
      asked.push(rule);
      return null;
    },
  });
  expect(events.filter((name) => name.includes(String(far)))).toEqual([]);
  expect(asked).not.toContain((await row()).beaconRule);
  await expect.poll(() => askedForNewest().length).toBeGreaterThan(0);
  expect([(await row()).refundedAt, warned()]).toEqual([null, []]);
});

/** Until the newest beacon of the round's own chain has said that this clock is right. */
async function confirm(over: Partial<Advancing> = {}): Promise<void> {
  for (const relay of site.relays) relay.answer = site.honest;
  const isConfirmed = async () => {
    site.w.pass(2_000);
    await advance(over);
    return site.w.deps.beacons.isClockConfirmed;
  };
  await expect.poll(isConfirmed, { interval: 20 }).toBe(true);
}

it("once the newest beacon has confirmed the clock, its stakes go back, and it counts as drawn", async () => {
  await advance();
  const asked: string[] = [];
  await confirm({ signatureFor: (rule) => (asked.push(rule), null) });
  // Nobody is asked for its beacon, neither before nor as its stakes go back.
  expect(asked).not.toContain((await row()).beaconRule);
  // The look that confirmed the clock may have come in the middle of it.
  const seen = [...events, ...(await advance())].filter((name) => name.endsWith(` ${far}`));
  expect(seen).toEqual([`refund ${far}`, `drawn ${far}`]);
  const { refundedAt } = await row();
  expect(refundedAt).not.toBeNull();
  expect(warned()).toHaveLength(1);
  expect(JSON.parse(warned()[0]!)).toMatchObject({ game: KEY, roundId: far });
  expect((await advance()).filter((name) => name.endsWith(` ${far}`))).toEqual([]);
});

it("a process that comes second tells nobody of it", async () => {
  await advance();
  const { deps } = site.w;
  const game = await findGame(read(), KEY);
  const round = await row();
  const overtaken: Partial<Advancing> = {
    async attempt(name, work) {
      if (name === `refund ${far}`) await deps.db.transact((tx) => refundRound(tx, deps, game, round));
      events.push(name);
      await work();
    },
  };
  await confirm(overtaken);
  if (!events.includes(`refund ${far}`)) await advance(overtaken);
  expect((await row()).refundedAt).not.toBeNull();
  expect(events).toContain(`refund ${far}`);
  expect(events).not.toContain(`drawn ${far}`);
  expect(warned()).toEqual([]);
});
