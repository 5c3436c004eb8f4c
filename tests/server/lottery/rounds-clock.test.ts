import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseRound } from "#shared/lottery/schedule.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { faultsOf } from "../../support/recompute.ts";
import type { Player, World } from "../../support/world.ts";
import { metric, problemsOf } from "./failing-world.ts";
import { readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
let mia: Player;
const { info, fair, rounds, gaps } = readsOf(() => w);

/** The tenth round of the day is open. */
beforeEach(async () => {
  w = await roundsWorld();
  mia = await w.player("mia_1", { balance: 100 });
  await w.live(9 * 60_000 + 5_000);
});
afterEach(() => w.close());

const no = (number: number, day = "20260302") => `${day}-${String(number).padStart(4, "0")}`;
const gap = (from: string, to: string, reason: string) => ({ gap_from: from, gap_to: to, reason });
const bet = async (expect: string) =>
  (await mia.call("/game/placeOrder", { item: "A,B", money: "10", lid: "lot_1", mid: "", expect })).code;
const money = async () => (await mia.call("/member/getUserInfo")).data.money as string;

/** The clock is set while the server runs, or while it is down. */
const WAYS: [string, (ms: number) => Promise<void>][] = [
  [
    "while it runs",
    async (ms) => {
      w.jump(ms);
      await w.settle();
    },
  ],
  [
    "while it is down",
    async (ms) => {
      w.jump(ms);
      await w.restart();
      await w.settle();
    },
  ],
];

/** Every round between two moments is played or named by one gap. */
async function expectWhole(): Promise<void> {
  expect(await problemsOf(w)).toEqual([]);
  for (const round of await rounds()) if (round.seed !== null) expect(faultsOf(await fair(round.expect))).toEqual([]);
}

const said = (text: string) => w.logged.filter((line) => line.includes(text)).length;

describe.each(WAYS)("a clock that was an hour ahead, set %s", (way, set) => {
  const REASON = way === "while it runs" ? "clock" : "down";

  it("leaves one gap where nobody bet, opens nothing that its commits gave away, and goes on after that", async () => {
    await set(HOUR_MS);
    expect(await info()).toMatchObject({ next_expect: no(70), state: "open" });
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(11), no(69), REASON)]);
    await set(-HOUR_MS);
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(11), no(70), "clock")]);
    expect((await rounds()).at(-1)).toMatchObject({ expect: no(70), drawnAt: null, skippedAt: w.now() });
    // The round that was open when the clock was set had been drawn under it.
    expect(await info()).toMatchObject({ state: "paused", next_expect: null, now_expect: no(10) });
    for (let minute = 11; minute <= 70; minute++) {
      await w.live(60_000);
      expect((await info()).next_expect).toBeNull();
    }
    await w.live(60_000);
    expect(await info()).toMatchObject({ next_expect: no(71), state: "open" });
    expect(await bet(no(71))).toBe(200);
    await w.live(60_000);
    expect(await money()).toBe("99.50");
    await expectWhole();
  });

  it("draws at once what was bet on, from the seed it was committed to, and pays it", async () => {
    await set(HOUR_MS);
    const { commit } = await info();
    expect(await bet(no(70))).toBe(200);
    await set(-HOUR_MS);
    await w.settle();
    const drawn = await fair(no(70));
    expect(drawn.commit).toBe(commit);
    expect(faultsOf(drawn)).toEqual([]);
    expect(await money()).toBe("99.50");
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(11), no(69), "clock")]);
    await w.live(HOUR_MS + 60_000);
    expect(await info()).toMatchObject({ next_expect: no(71), state: "open" });
    await expectWhole();
  });

  it("pays bets on a round that was closed already when the clock was set back", async () => {
    await set(HOUR_MS);
    expect(await bet(no(70))).toBe(200);
    await w.live(52_000);
    expect(await info()).toMatchObject({ state: "drawing", next_expect: no(70) });
    await set(-HOUR_MS);
    await w.settle();
    expect(await money()).toBe("99.50");
    await expectWhole();
  });
});

describe.each(WAYS)("a clock that was 400 days ahead, set %s", (_way, set) => {
  it("stops no game: today goes on at once, and the bets of that day are paid", async () => {
    await set(400 * DAY_MS);
    const { next_expect } = await info();
    expect(next_expect).toBe(no(10, "20270406"));
    // Whoever was logged in is so no longer.
    mia = await w.player("mia_2", { balance: 100 });
    expect(await bet(next_expect)).toBe(200);
    await set(-400 * DAY_MS);
    await w.settle();
    expect(await money()).toBe("99.50");
    expect(await gaps()).toContainEqual(gap(no(1, "20270406"), no(9, "20270406"), "clock"));
    await w.live(60_000);
    expect(await info()).toMatchObject({ next_expect: no(11), state: "open" });
    expect(await bet(no(11))).toBe(200);
    await w.live(60_000);
    expect(await money()).toBe("99.00");
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(1, "20270406"), no(9, "20270406"), "clock")]);
    await expectWhole();
  });

  it("takes back what it said of rounds to come, and opens none of that day up to its own", async () => {
    await set(400 * DAY_MS);
    await set(-400 * DAY_MS);
    const dead = gap(no(1, "20270406"), no(10, "20270406"), "clock");
    expect(await gaps()).toContainEqual(dead);
    await w.live(60_000);
    const opened = new Set((await rounds()).map((round) => round.expect));
    // The same moment once more, when it has really come.
    w.pass(400 * DAY_MS - 60_000);
    for (let minute = 0; minute < 4; minute++) await w.live(60_000);
    const later = (await rounds()).map((round) => round.expect).filter((name) => !opened.has(name));
    expect(later.map((name) => parseRound(name)!)).toEqual([11, 12, 13, 14].map((number) => ({ day: 20_914, number })));
    expect(await gaps()).toContainEqual(dead);
    await expectWhole();
  });
});

describe("a clock that went back", () => {
  it("by less than a round lets the round that is open wait for its time, and play it", async () => {
    expect(await bet(no(10))).toBe(200);
    w.jump(-20_000);
    await w.settle();
    expect(await info()).toMatchObject({ state: "paused", next_expect: null });
    expect(await bet(no(10))).toBe(422);
    await w.live(16_000);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(10), second: 56 });
    expect(await bet(no(10))).toBe(200);
    await w.live(60_000);
    expect(await money()).toBe("99.00");
    await expectWhole();
  });

  it("is said in the log, by the metrics and to whoever asks whether the server is ready", async () => {
    const ready = async () => {
      const { statusCode, body } = await w.site.app.inject({ url: "/readyz" });
      return [statusCode, JSON.parse(body)] as const;
    };
    expect(await ready()).toEqual([200, { ready: true }]);
    w.jump(-HOUR_MS);
    await w.settle();
    expect(said("the clock was set back")).toBe(1);
    expect(said("the clock stands before what was committed")).toBe(1);
    expect(await ready()).toEqual([200, { ready: true, clock_behind_ms: HOUR_MS }]);
    expect(await metric(w, "trio_clock_behind_seconds")).toBe(3_600);
    expect(await metric(w, "trio_clock_jumps_back")).toBe(1);
    await w.live(HOUR_MS);
    expect(await ready()).toEqual([200, { ready: true }]);
    expect(said("the clock has caught up with what was committed")).toBe(1);
  });

  it("is noticed at the start too, by what was committed before", async () => {
    w.jump(-HOUR_MS);
    await w.restart();
    await w.settle();
    expect(said("the clock stands before what was committed")).toBe(1);
    expect(await metric(w, "trio_clock_behind_seconds")).toBe(3_600);
  });
});

describe("a start long after everything that was committed", () => {
  it("is nothing strange: it was off, and its gap says so", async () => {
    w.pass(30 * DAY_MS);
    await w.restart();
    await w.settle();
    expect(said("the clock")).toBe(0);
    expect((await gaps()).at(-1)).toEqual(gap(no(11), no(9, "20260401"), "down"));
    await expectWhole();
  });
});
