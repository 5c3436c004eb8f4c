import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import type { Player, World } from "../../support/world.ts";
import { bet, expectWhole, gap, money, no, answer, WAYS } from "./clock-ways.ts";
import { metric } from "./failing-world.ts";
import { readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
let mia: Player;
const { info, gaps } = readsOf(() => w);

/** The tenth round of the day is open. */
beforeEach(async () => {
  w = await roundsWorld();
  mia = await w.player("mia_1", { balance: 100 });
  await w.live(9 * 60_000 + 5_000);
});
afterEach(() => w.close());

describe.each(WAYS)("a clock set back, %s,", (way, set) => {
  it.each([
    ["an hour", HOUR_MS],
    ["400 days", 400 * DAY_MS],
  ])(
    "by %s, to before the game began, has open rounds paid, and opens none until the clock is right again",
    async (_, back) => {
      expect(await bet(mia, no(10))).toBe(200);
      await set(w, -back);
      await w.settle();
      expect(await money(mia)).toBe("99.50");
      await w.live(60_000);
      expect(await info()).toMatchObject({ state: "paused", next_expect: null });
      await w.live(60_000);
      await set(w, back);
      await w.live(60_000);
      expect(await info()).toMatchObject({ state: "open", next_expect: no(13) });
      expect((await gaps()).slice(-2)).toEqual([
        gap(no(2), no(9), "clock"),
        gap(no(11), no(11), way === "while it runs" ? "clock" : "down"),
      ]);
      await expectWhole(w);
    },
  );
});

describe("a clock set back", () => {
  it("by less than a round lets the open round wait for its time, and plays it", async () => {
    expect(await bet(mia, no(10))).toBe(200);
    w.jump(-20_000);
    await w.settle();
    expect(await info()).toMatchObject({ state: "paused", next_expect: null });
    expect(await bet(mia, no(10))).toBe(422);
    await w.live(16_000);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(10), second: 56 });
    expect(await bet(mia, no(10))).toBe(200);
    await w.live(60_000);
    expect(await money(mia)).toBe("99.00");
    await expectWhole(w);
  });

  it("is reported in the log, the metrics and the readiness check", async () => {
    const ready = async () => {
      const { statusCode, body } = await w.site.app.inject({ url: "/readyz" });
      return [statusCode, JSON.parse(body)] as const;
    };
    expect(await ready()).toEqual([200, { ready: true }]);
    w.jump(-HOUR_MS);
    await w.settle();
    expect(answer(w, "the clock was set back")).toBe(1);
    expect(answer(w, "the clock is behind the newest commit")).toBe(1);
    expect(await ready()).toEqual([200, { ready: true, clock_behind_ms: HOUR_MS }]);
    expect(await metric(w, "trio_clock_behind_seconds")).toBe(3_600);
    expect(await metric(w, "trio_clock_jumps_back")).toBe(1);
    await w.live(HOUR_MS);
    expect(await ready()).toEqual([200, { ready: true }]);
    expect(answer(w, "the clock has caught up with the newest commit")).toBe(1);
  });

  it("is noticed at start too, from earlier commits", async () => {
    w.jump(-HOUR_MS);
    await w.restart();
    await w.settle();
    expect(answer(w, "the clock is behind the newest commit")).toBe(1);
    expect(await metric(w, "trio_clock_behind_seconds")).toBe(3_600);
  });
});

describe("a start long after the last commit", () => {
  it("is normal: the server was off, and the gap records it", async () => {
    w.pass(30 * DAY_MS);
    await w.restart();
    await w.settle();
    expect(answer(w, "the clock")).toBe(0);
    expect((await gaps()).at(-1)).toEqual(gap(no(11), no(9, "20260401"), "down"));
    await expectWhole(w);
  });
});
