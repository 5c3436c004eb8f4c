import { afterEach, beforeEach, expect, it } from "vitest";
import { gaps, logLeaves, pauses, rounds } from "#db/schema/index.ts";
import { advanceGames, type Advancing } from "#server/domains/lottery/advance.ts";
import { listGames } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { dayOf, MINUTE_MS } from "#shared/time.ts";
import { advancing } from "./advancing.ts";
import { MINUTE_GAME, START, world, type World } from "../../support/world.ts";

let w: World;
let seeds: Seeds;
/** What was attempted and told, in order. */
let events: string[];

beforeEach(async () => {
  w = await world();
  seeds = new Seeds(w.deps.keys);
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "k3-2m", periodS: 120 });
  events = [];
});
afterEach(() => w.close());

/** One process that tries each step once, while its clock is right and its beacons are here. */
async function advance(over: Partial<Advancing> = {}): Promise<string[]> {
  events = [];
  await advanceGames(w.deps, seeds, await listGames(w.deps.db.read), {
    ...advancing(w.deps, seeds, events),
    signatureFor: () => "",
    ...over,
  });
  return events;
}

const rows = () => w.deps.db.read.select().from(rounds).orderBy(rounds.id);
const isDrawn = async () => (await rows()).map(({ drawnAt }) => drawnAt !== null);
const NAMES = ["20260302-0001", "20260302-0002"];

it("opens the round of the moment, after its game's anchors, and opens it once", async () => {
  expect(await advance()).toEqual([
    "anchor k3-1m",
    `opening k3-1m ${NAMES[0]}`,
    "open k3-1m",
    "anchor k3-2m",
    `opening k3-2m ${NAMES[0]}`,
    "open k3-2m",
    "log k3-1m",
    "log k3-2m",
  ]);
  expect((await rows()).map((round) => [round.gameId, roundText(round)])).toEqual([
    [1, NAMES[0]],
    [2, NAMES[0]],
  ]);
  expect(await advance()).toEqual(["anchor k3-1m", "anchor k3-2m", "log k3-1m", "log k3-2m"]);
  expect(await rows()).toHaveLength(2);
});

it("opens no round whose game is paused then, nor one for which its clock is not right", async () => {
  const pause = { gameId: 1, fromDay: dayOf(START), fromNumber: 1, paused: true, announcedAt: START };
  await w.deps.db.transact((tx) => tx.insert(pauses).values(pause));
  const idle = ["anchor k3-1m", "anchor k3-2m", "log k3-1m", "log k3-2m"];
  expect(await advance({ mayOpen: () => false })).toEqual(idle);
  expect(await rows()).toEqual([]);
  await advance();
  expect((await rows()).map(({ gameId }) => gameId)).toEqual([2]);
});

it("says of no round that it is being opened whose time for bets is over, and opens it", async () => {
  w.pass(57_000);
  expect(await advance()).not.toContain(`opening k3-1m ${NAMES[0]}`);
  expect(events).toContain("open k3-1m");
});

it("records why rounds were missed, by what the process says of them", async () => {
  await advance();
  w.pass(3 * MINUTE_MS);
  await advance({ reasonsOf: (_, missed) => [{ ...missed, reason: "clock" }] });
  const missed = await w.deps.db.read.select().from(gaps);
  expect(missed.filter(({ gameId }) => gameId === 1)).toMatchObject([{ fromNumber: 2, toNumber: 3, reason: "clock" }]);
});

it("closes a round when its time for bets is over, and not before, and lets the log say so", async () => {
  await advance();
  w.pass(56_999);
  await advance();
  expect(events).not.toContain("close 1");
  w.pass(1);
  await advance();
  expect(events).toEqual(["close 1", "anchor k3-2m", "log k3-1m", "log k3-2m", "anchor k3-1m"]);
  expect((await rows()).map(({ closedAt }) => closedAt)).toEqual([w.now(), null]);
  const leaves = (await w.deps.db.read.select().from(logLeaves)).map(({ key }) => key);
  expect(leaves).toContain(keyOfRound("close", { game: "k3-1m", round: NAMES[0]! }));
  await advance();
  expect(events).not.toContain("close 1");
});

it("draws a round when it is due, and not before, and opens the next one after it", async () => {
  await advance();
  w.pass(57_000);
  await advance();
  w.pass(2_999);
  await advance();
  expect(events).not.toContain("draw 1");
  w.pass(1);
  expect(await advance()).toEqual([
    "draw 1",
    "drawn 1",
    "anchor k3-1m",
    `opening k3-1m ${NAMES[1]}`,
    "open k3-1m",
    "anchor k3-2m",
    "log k3-1m",
    "log k3-2m",
  ]);
  expect(await isDrawn()).toEqual([true, false, false]);
  await advance();
  expect(events).not.toContain("draw 1");
});

it("draws in one go what closes late, once the log has told the closing, while a game with nothing to tell goes first", async () => {
  await advance();
  w.pass(MINUTE_MS);
  expect(await advance()).toEqual([
    "close 1",
    "anchor k3-2m",
    "log k3-1m",
    "log k3-2m",
    "draw 1",
    "drawn 1",
    "anchor k3-1m",
    `opening k3-1m ${NAMES[1]}`,
    "open k3-1m",
  ]);
  expect(await isDrawn()).toEqual([true, false, false]);
});

it("draws nothing without its beacon, and says which round waits until when", async () => {
  await advance();
  w.pass(MINUTE_MS);
  await advance({ signatureFor: () => null });
  expect(events).toContain("waiting 1 of 1 until 60000");
  expect(events).not.toContain("draw 1");
  expect(await isDrawn()).toEqual([false, false, false]);
  const asked: string[] = [];
  await advance({
    signatureFor(rule) {
      asked.push(rule);
      return "";
    },
  });
  expect(asked).toEqual(["none"]);
  expect(events).toContain("drawn 1");
});
