import { afterEach, beforeEach, expect, it } from "vitest";
import { pino } from "pino";
import { shownPlaces } from "#db/schema/lottery.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { ordinalOf, roundText } from "#shared/lottery/schedule.ts";
import { dicer, faultsOf } from "../../support/recompute.ts";
import { MINUTE_GAME, START, type World } from "../../support/world.ts";
import { problemsOf } from "./failing-world.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

const MINUTE = 60_000;
const OTHERS = 2;

let w: World;
let others: { site: Site; hand: Float64Array }[];
const { fair, rounds, gapRows } = readsOf(() => w);

/** Three processes on one database, each with a clock of its own. */
beforeEach(async () => {
  w = await roundsWorld();
  others = [];
  for (let i = 0; i < OTHERS; i++) {
    const buffer = new SharedArrayBuffer(16);
    const hand = new Float64Array(buffer);
    hand[0] = w.now();
    const clock = { kind: "shared", buffer } as const;
    others.push({ hand, site: await openSite(w.config, { clock, log: pino({ level: "silent" }) }) });
  }
});
afterEach(async () => {
  for (const { site } of others) await site.close();
  await w.close();
});

const sites = () => [w.site, ...others.map(({ site }) => site)];

/** Every process does at once what is due by its own clock. */
async function tick(): Promise<void> {
  await Promise.all(sites().map(({ rounds }) => rounds.tick()));
  await Promise.allSettled(sites().map(({ rounds }) => rounds.settle()));
}

/** Sets each process's clock, in ms after the start. */
function setClocks(...after: number[]): void {
  w.jump(START + after[0]! - w.now());
  for (const [i, { hand }] of others.entries()) hand[0] = START + after[i + 1]!;
}

it("open no place of a day twice, nor one below a place that was shown, however their clocks jump", async () => {
  const random = dicer(11);
  const commits = new Map<string, string>();
  for (let step = 0; step < 15; step++) {
    setClocks(...[0, 1, 2].map(() => Math.floor(random() * 90) * MINUTE));
    await tick();
    for (const { expect: name, commit } of await rounds()) {
      expect(commits.get(name) ?? commit).toBe(commit);
      commits.set(name, commit);
    }
  }
  const all = await rounds();
  const numbers = all.map(({ number }) => number);
  expect(numbers.length).toBeGreaterThan(1);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  const [mark] = await w.deps.db.read.select().from(shownPlaces);
  expect(mark!.number).toBe(Math.max(...numbers));
  // With their clocks right again they play on.
  for (const minute of [200, 201, 202]) {
    setClocks(minute * MINUTE, minute * MINUTE, minute * MINUTE);
    await tick();
  }
  const drawn = (await rounds()).filter(({ seed }) => seed !== null);
  for (const round of drawn) expect(faultsOf(await fair(round.expect))).toEqual([]);
  expect((await rounds()).at(-1)!.number).toBe(203);
  expect(await problemsOf(w)).toEqual([]);
});

it("announce a pause once, and open no round that it covers, while they open rounds and operators repeat themselves", async () => {
  const pause = async ({ deps }: Site, paused: boolean) => {
    const game = await findGame(deps.db.read, KEY);
    return roundText((await deps.db.transact((tx) => pauseGame(tx, deps, game, { paused, reason: null })))!);
  };
  for (const [minute, paused] of [
    [1, true],
    [4, false],
    [9, true],
    [13, false],
  ] as const) {
    setClocks(minute * MINUTE, minute * MINUTE, minute * MINUTE);
    const [said] = await Promise.all([Promise.all(sites().map((site) => pause(site, paused))), tick()]);
    expect(new Set(said).size).toBe(1);
    for (let next = minute + 1; next < minute + 4; next++) {
      setClocks(next * MINUTE, next * MINUTE, next * MINUTE);
      await tick();
    }
  }
  const { data } = await w.call("/fair/pauses", { key: KEY }, { method: "GET" });
  expect(data).toHaveLength(4);
  const paused = (await gapRows()).filter(({ reason }) => reason === "paused");
  const at = (day: number, number: number) => ordinalOf(MINUTE_GAME, { day, number });
  const ranges = paused.map((gap) => [at(gap.fromDay, gap.fromNumber), at(gap.toDay, gap.toNumber)]);
  const opened = (await rounds()).map(({ day, number }) => at(day, number));
  for (const [from, to] of ranges) expect(opened.filter((place) => place >= from! && place <= to!)).toEqual([]);
  expect(ranges).toHaveLength(2);
  expect(await problemsOf(w)).toEqual([]);
});
