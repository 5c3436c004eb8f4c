import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { advanceAll } from "../../support/advance-all.ts";
import { byLength } from "../../support/length.ts";
import { faultsOf } from "../../support/recompute.ts";
import type { Player, World } from "../../support/world.ts";
import { bet, expectWhole, gap, money, no, WAYS } from "./clock-ways.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

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

describe.each(WAYS)("a clock that was an hour ahead, set %s", (way, set) => {
  const REASON = way === "while it runs" ? "clock" : "down";

  it("leaves one gap where there are no bets, opens no round whose seed is public, and resumes after that", async () => {
    await set(w, HOUR_MS);
    expect(await info()).toMatchObject({ next_expect: no(70), state: "open" });
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(11), no(69), REASON)]);
    await set(w, -HOUR_MS);
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
    expect(await bet(mia, no(71))).toBe(200);
    await w.live(60_000);
    expect(await money(mia)).toBe("99.50");
    await expectWhole(w);
  });

  it("draws rounds with bets at once, from the committed seed, and pays them", async () => {
    await set(w, HOUR_MS);
    const { commit } = await info();
    expect(await bet(mia, no(70))).toBe(200);
    await set(w, -HOUR_MS);
    await w.settle();
    const drawn = await fair(no(70));
    expect(drawn.commit).toBe(commit);
    expect(faultsOf(drawn)).toEqual([]);
    expect(await money(mia)).toBe("99.50");
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(11), no(69), "clock")]);
    await w.live(HOUR_MS + 60_000);
    expect(await info()).toMatchObject({ next_expect: no(71), state: "open" });
    await expectWhole(w);
  });

  it("pays bets on a round that was already closed when the clock was set back", async () => {
    await set(w, HOUR_MS);
    expect(await bet(mia, no(70))).toBe(200);
    await w.live(52_000);
    expect(await info()).toMatchObject({ state: "drawing", next_expect: no(70) });
    await set(w, -HOUR_MS);
    await w.settle();
    expect(await money(mia)).toBe("99.50");
    await expectWhole(w);
  });
});

it("a clock that is set between a look at anchors and an opening opens no round of a day without one", async () => {
  const game = await findGame(w.deps.db.read, KEY);
  const open = () => advanceAll(w.deps, [game]);
  w.jump(400 * DAY_MS);
  await open();
  await open();
  expect((await rounds()).at(-1)).toMatchObject({ expect: no(10) });
  await w.settle();
  expect(await info()).toMatchObject({ state: "open", next_expect: no(10, "20270406") });
});

/** Years of chains take their time; the nearer jumps above try both ways. */
describe.each(byLength(WAYS.slice(0, 1), WAYS))("a clock that was 400 days ahead, set %s", (_way, set) => {
  it("stops no game: today resumes at once, and the bets of that day are paid", async () => {
    await set(w, 400 * DAY_MS);
    const { next_expect } = await info();
    expect(next_expect).toBe(no(10, "20270406"));
    // Members who were logged in no longer are.
    mia = await w.player("mia_2", { balance: 100 });
    expect(await bet(mia, next_expect!)).toBe(200);
    await set(w, -400 * DAY_MS);
    await w.settle();
    expect(await money(mia)).toBe("99.50");
    expect(await gaps()).toContainEqual(gap(no(1, "20270406"), no(9, "20270406"), "clock"));
    await w.live(60_000);
    expect(await info()).toMatchObject({ next_expect: no(11), state: "open" });
    expect(await bet(mia, no(11))).toBe(200);
    await w.live(60_000);
    expect(await money(mia)).toBe("99.00");
    expect(await gaps()).toEqual([gap(no(2), no(9), "down"), gap(no(1, "20270406"), no(9, "20270406"), "clock")]);
    await expectWhole(w);
  });

  it("withdraws its announcements of rounds to come, and opens none of that day before its time", async () => {
    await set(w, 400 * DAY_MS);
    await set(w, -400 * DAY_MS);
    const dead = gap(no(1, "20270406"), no(10, "20270406"), "clock");
    expect(await gaps()).toContainEqual(dead);
    await w.live(60_000);
    const opened = new Set((await rounds()).map((round) => round.expect));
    // The same moment again, when it has really come.
    w.pass(400 * DAY_MS - 60_000);
    for (let minute = 0; minute < 4; minute++) await w.live(60_000);
    const later = (await rounds()).map((round) => round.expect).filter((name) => !opened.has(name));
    expect(later.map((name) => parseRound(name)!)).toEqual([11, 12, 13, 14].map((number) => ({ day: 20_914, number })));
    expect(await gaps()).toContainEqual(dead);
    await expectWhole(w);
  });
});
