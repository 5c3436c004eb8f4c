import { describe, expect, it } from "vitest";
import { Game } from "#shared/log/check/game.ts";
import { PlanCheck } from "#shared/log/check/plan-check.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { chainOfDay, seedOf } from "#shared/lottery/fairness.ts";
import { DAY_MS, dayText, dayOf, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { checkContext } from "./check-context.ts";
import { LEAF } from "./leaves.ts";
import { bytes, hexOf, serverHash, sha256 } from "./world.ts";

/* What a game announces, at the edges of what it may. */

const T = Date.UTC(2026, 2, 20);
const GAME = "k3-1h";
const timetable = { periodS: 3_600, closeS: 3 };

describe("a plan", () => {
  /** A game whose timetable is known. */
  function plan() {
    const parts = checkContext();
    const game = new Game(GAME, serverHash);
    const check = new PlanCheck(game, parts.context);
    game.timetable = timetable;
    return { ...parts, game, check };
  }
  const anchor = (day: number, word = "anchor"): Leaf<"anchor"> => ({
    kind: "anchor",
    game: GAME,
    day: dayText(dayOf(T) + day),
    anchor: hexOf(sha256(bytes(`${word} ${day}`))),
  });
  const opens = (day: number) => T + day * DAY_MS;

  it("has each day's anchor in a head seven days ahead", () => {
    for (const [at, ids] of [
      [T + DAY_MS, []],
      [T + DAY_MS + 1, ["anchor-late"]],
    ] as const) {
      const { check, heads, ids: said } = plan();
      check.anchor(anchor(20));
      heads.add(T - 30 * DAY_MS);
      for (let hour = -30 * 24; T + hour * HOUR_MS < at; hour++) heads.add(T + hour * HOUR_MS);
      heads.silence = null;
      check.anchor(anchor(8));
      heads.add(at);
      check.firstOpening(dayText(dayOf(T) + 8), opens(8));
      expect(said()).toEqual(ids);
    }
  });

  it("of a new game has an hour for its first anchors", () => {
    for (const [late, ids] of [
      [HOUR_MS, ["anchor-new"]],
      [HOUR_MS + 1, ["anchor-late"]],
    ] as const) {
      const { check, heads, said } = plan();
      check.anchor(anchor(1));
      heads.add(T);
      check.anchor(anchor(2));
      heads.add(T + late);
      heads.silence = null;
      check.firstOpening(dayText(dayOf(T) + 2), opens(2));
      expect(said).toEqual(ids.map((id) => [id, { game: GAME, day: dayText(dayOf(T) + 2) }]));
    }
  });

  it("after a silence has an hour for the anchors that were due in it", () => {
    const due = T + DAY_MS;
    for (const [from, to, at, ids] of [
      [due, due + 2 * HOUR_MS, due + 3 * HOUR_MS, ["anchor-after-silence"]],
      [due, due + 2 * HOUR_MS, due + 3 * HOUR_MS + 1, ["anchor-late"]],
      [due + 1, due + 2 * HOUR_MS, due + 2 * HOUR_MS + 5, ["anchor-late"]],
    ] as const) {
      const { check, heads, ids: said } = plan();
      check.anchor(anchor(20));
      heads.add(T - 30 * DAY_MS);
      heads.add(from);
      for (let time = to; time < at; time += MINUTE_MS) heads.add(time);
      check.anchor(anchor(8));
      heads.add(at);
      check.firstOpening(dayText(dayOf(T) + 8), opens(8));
      expect(said()).toEqual(ids);
    }
  });

  it("whose anchor is in no head yet waits for it", () => {
    const { check, heads, ids } = plan();
    check.anchor(anchor(1));
    check.firstOpening(dayText(dayOf(T) + 1), opens(1));
    expect(ids()).toEqual([]);
    heads.add(T);
    expect(ids()).toEqual(["anchor-new"]);
    check.firstOpening(dayText(dayOf(T) + 5), opens(5));
    heads.add(T + 1);
    expect(ids()).toEqual(["anchor-late"]);
  });

  it("names no anchor twice", () => {
    const { check, said } = plan();
    check.anchor(anchor(1));
    check.anchor({ ...anchor(2), anchor: anchor(1).anchor });
    expect(said).toEqual([["anchor-again", { game: GAME, day: dayText(dayOf(T) + 2) }]]);
  });

  it("has odds that fit their kind of game", () => {
    const { check, game, ids } = plan();
    game.timetable = null;
    const rates = Array.from({ length: 9 }, () => 2_000);
    check.odds({ ...LEAF.odds, game: GAME, rules: "no such", rates });
    check.odds({ ...LEAF.odds, game: GAME, period: 7 });
    expect([ids(), game.timetable, game.odds.has(LEAF.odds.id)]).toEqual([["odds-unfit", "odds-unfit"], null, true]);
  });

  it("keeps its period: other odds with another one are a problem, and name no day that there is not", () => {
    const { check, game, heads, said } = plan();
    game.timetable = null;
    const odds = (period: number, id: string) => ({
      ...LEAF.odds,
      game: GAME,
      id,
      period,
      close: 3,
      rates: [...rulesOf("dice-sum").odds],
    });
    check.odds(odds(10, "8"));
    const from = `${dayText(dayOf(T))}-0001`;
    check.pause({ ...LEAF.pause, game: GAME, from, at: T - HOUR_MS });
    heads.add(T - HOUR_MS);
    check.odds(odds(86_400, "9"));
    check.end();
    expect(said).toEqual([
      ["period-other", { game: GAME, odds: "9" }],
      ["announced", { game: GAME, round: from, kind: "pause" }],
    ]);
    check.odds({ ...odds(10, "10"), close: 4 });
    expect(game.timetable).toEqual({ periodS: 10, closeS: 4 });
  });

  it("takes what was announced before its odds once these are there", () => {
    const { check, game, heads } = plan();
    game.timetable = null;
    const at = T - 2 * HOUR_MS;
    check.pause({ ...LEAF.pause, game: GAME, from: `${dayText(dayOf(T))}-0001`, at });
    check.beacon({ ...LEAF.beacon, game: GAME, mode: "m", from: `${dayText(dayOf(T))}-0001`, at });
    expect([game.changes, game.modes]).toEqual([[], []]);
    heads.add(at + 1);
    game.timetable = null;
    const odds = { ...LEAF.odds, game: GAME, period: 3_600, close: 3 };
    check.odds({ ...odds, rules: "none" });
    expect(game.changes).toEqual([]);
    const fitting = { ...odds, rules: "dice-sum", rates: [...rulesOf("dice-sum").odds] };
    for (let i = 0; i < 2; i++) {
      check.odds(fitting);
      const from = game.ordinal(`${dayText(dayOf(T))}-0001`);
      expect([game.changes, game.modes]).toEqual([[{ from, paused: true }], [{ from, mode: "m" }]]);
    }
  });

  const round = (number: number) => `${dayText(dayOf(T))}-${String(number).padStart(4, "0")}`;
  const told = (kind: "pause" | "resume", number: number, at: number) =>
    ({ ...LEAF[kind], kind, game: GAME, from: round(number), at }) as Leaf<"pause"> | Leaf<"resume">;

  it("is paused from the round after next on, and says at the end what has not begun", () => {
    const { check, game, said, ids } = plan();
    // At 00:30 the second round comes next.
    check.pause(told("pause", 3, T + HOUR_MS / 2));
    expect([ids(), game.inTime.length]).toEqual([[], 1]);
    check.end();
    const announced = [["announced", { game: GAME, round: round(3), kind: "pause" }]];
    expect(said.splice(0)).toEqual(announced);
    // A clock that was ahead had opened a later one.
    for (const number of [1, 4, 2]) game.opened.push(game.ordinal(round(number))!);
    check.end();
    expect(said.splice(0)).toEqual(announced);
    for (const number of [2, 3]) game.opened.push(game.ordinal(round(number))!);
    check.end();
    expect(said).toEqual([]);
    check.pause(told("resume", 4, T + 3 * HOUR_MS - 1));
    expect(said).toEqual([["pause-soon", { game: GAME, round: round(4) }]]);
    expect([game.inTime.length, game.changes.length]).toEqual([1, 2]);
    ids();
    check.end();
    expect(said).toEqual([["announced", { game: GAME, round: round(4), kind: "resume" }]]);
  });

  it("takes a beacon's rule at once before its first round, and two rounds ahead after it", () => {
    const { check, game, said } = plan();
    const beacon = (number: number): Leaf<"beacon"> => ({
      ...LEAF.beacon,
      game: GAME,
      mode: "none",
      from: round(number),
      at: T + HOUR_MS / 2,
    });
    check.beacon(beacon(2));
    expect(said).toEqual([]);
    game.opened.push(game.ordinal(round(1))!);
    check.beacon(beacon(3));
    expect(said).toEqual([]);
    check.beacon(beacon(2));
    expect(said).toEqual([["rule-soon", { game: GAME, round: round(2) }]]);
    expect(game.modes).toHaveLength(3);
  });

  describe("with a gap", () => {
    const gap = (from: number, to: number, reason: Leaf<"gap">["reason"] = "down"): Leaf<"gap"> => ({
      ...LEAF.gap,
      game: GAME,
      from: round(from),
      to: round(to),
      reason,
      at: T,
    });

    it("takes none of its rounds for opened, but one that a wrong clock had opened", () => {
      const { check, game, said } = plan();
      const marks = game.day(dayText(dayOf(T)));
      for (const number of [2, 4, 6]) marks.mark(number, 1);
      marks.shown = 6;
      check.gap(gap(3, 5));
      expect(said.splice(0)).toEqual([
        ["gap-told", { game: GAME, from: round(3), to: round(5), reason: "down" }],
        ["gap-over-round", { game: GAME, round: round(4) }],
      ]);
      check.gap(gap(2, 2, "clock"));
      expect([said.splice(0).length, marks.has(2, 8), marks.has(4, 8)]).toEqual([1, true, false]);
      for (const bits of [2, 4]) {
        marks.mark(6, bits);
        check.gap(gap(6, 6, "clock"));
        expect([said.splice(0).at(-1)![0], marks.has(6, 8)]).toEqual(["gap-over-round", false]);
      }
    });

    it("looks at the rounds of each of its days, to its end", () => {
      const { check, game, said } = plan();
      const days = [0, 1, 2, 3].map((day) => dayText(dayOf(T) + day));
      for (const day of days) {
        const marks = game.day(day);
        for (const number of [1, 5, 24]) marks.mark(number, 1);
        marks.shown = 24;
      }
      check.gap({ ...gap(5, 5), from: `${days[0]}-0002`, to: `${days[2]}-0005` });
      const found = said.filter(([id]) => id === "gap-over-round").map(([, { round: one }]) => one);
      expect(found).toEqual([
        `${days[0]}-0005`,
        `${days[0]}-0024`,
        `${days[1]}-0001`,
        `${days[1]}-0005`,
        `${days[1]}-0024`,
        `${days[2]}-0001`,
        `${days[2]}-0005`,
      ]);
    });

    it("has the numbers of its rounds, however many a day has", () => {
      const { check, game, said } = plan();
      game.timetable = { periodS: 60, closeS: 3 };
      const marks = game.day(dayText(dayOf(T)));
      for (const number of [233, 234, 1_233, 1_234, 1_240, 1_241]) marks.mark(number, 1);
      const chain = chainOfDay(sha256(bytes("minutes")), 1_440);
      marks.setAnchor(hexOf(seedOf(chain, 0)));
      expect(marks.isSeed(300, hexOf(seedOf(chain, 300)))).toBe(true);
      check.gap(gap(1_234, 1_240));
      const found = said.splice(0).filter(([id]) => id === "gap-over-round");
      expect(found.map(([, facts]) => facts.round)).toEqual([round(1_234), round(1_240)]);
      for (let i = 0; i < 4; i++) check.opening(T + DAY_MS);
      expect(said).toEqual([["gap-hidden", { game: GAME, round: round(1_240) }]]);
    });

    it("that is the first round of a day without an anchor shows its seed, too", () => {
      const { check, said, ids } = plan();
      check.gap(gap(1, 1));
      ids();
      for (let i = 0; i < 4; i++) check.opening(T + DAY_MS);
      expect(said).toEqual([["gap-hidden", { game: GAME, round: round(1) }]]);
    });

    it("is called paused only where a pause was announced in time for all of it", () => {
      const { check, game, ids } = plan();
      check.pause(told("pause", 3, T + HOUR_MS / 2));
      check.pause(told("resume", 6, T + HOUR_MS / 2));
      check.gap(gap(3, 5, "paused"));
      expect(ids()).toEqual(["gap-told"]);
      check.gap(gap(3, 6, "paused"));
      expect(ids()).toEqual(["gap-unannounced", "gap-told"]);
      check.gap(gap(2, 3, "paused"));
      expect(ids()).toEqual(["gap-unannounced", "gap-told"]);
      check.gap(gap(2, 6));
      expect([ids(), game.gaps.length]).toEqual([["gap-told"], 4]);
    });

    it("shows its seeds a day later, some openings after they are due", () => {
      const { check, ids, said } = plan();
      check.gap(gap(3, 5));
      ids();
      const at = T + DAY_MS;
      for (let i = 0; i < 9; i++) check.opening(at - 1);
      for (let i = 0; i < 3; i++) check.opening(at);
      expect(ids()).toEqual([]);
      check.opening(at);
      expect(said.splice(0)).toEqual([["gap-hidden", { game: GAME, round: round(5) }]]);
      check.opening(at);
      expect(ids()).toEqual([]);
    });

    it("shows one day of it at each opening", () => {
      const { check, said } = plan();
      const days = [0, 1, 2].map((day) => dayText(dayOf(T) + day));
      check.gap({ ...gap(3, 5), from: `${days[0]}-0007`, to: `${days[2]}-0009` });
      said.splice(0);
      for (let i = 0; i < 5; i++) check.opening(T + DAY_MS);
      expect(said).toEqual([]);
      check.opening(T + DAY_MS);
      const shown = [`${days[0]}-0024`, `${days[1]}-0024`, `${days[2]}-0009`];
      expect(said).toEqual(shown.map((one) => ["gap-hidden", { game: GAME, round: one }]));
    });

    it("that lasts for centuries is asked for ten years", () => {
      const { check, game, said } = plan();
      check.gap({ ...gap(1, 1), to: `${dayText(dayOf(T) + 5_000)}-0001` });
      said.splice(0);
      const chain = chainOfDay(sha256(bytes("any day")), 24);
      const [anchor, last] = [0, 24].map((number) => hexOf(seedOf(chain, number))) as [string, string];
      for (let day = 0; day < 3_660; day++) {
        const marks = game.day(dayText(dayOf(T) + day));
        marks.setAnchor(anchor);
        expect(marks.isSeed(24, last)).toBe(true);
      }
      for (let i = 0; i < 5; i++) check.opening(T + DAY_MS);
      expect(said).toEqual([["gap-hidden", { game: GAME, round: `${dayText(dayOf(T) + 3_660)}-0024` }]]);
    });

    it("has seeds of the chain, and only for its own rounds", () => {
      const { check, game, heads, said } = plan();
      const seeds = [sha256(bytes("last"))];
      for (let i = 0; i < 6; i++) seeds.unshift(sha256(seeds[0]!));
      game.day(dayText(dayOf(T))).setAnchor(hexOf(seeds[0]!));
      check.gap(gap(3, 5));
      said.splice(0);
      const skipped = (to: number, seed: Uint8Array): Leaf<"skipped"> => ({
        ...LEAF.skipped,
        game: GAME,
        from: round(3),
        to: round(to),
        seed: hexOf(seed),
      });
      check.skipped(skipped(5, seeds[5]!));
      heads.add(T);
      expect([said, game.day(dayText(dayOf(T))).shown]).toEqual([[], 5]);
      check.skipped(skipped(6, seeds[5]!));
      heads.add(T + 1);
      const facts = { game: GAME, from: round(3), to: round(6) };
      expect(said).toEqual([
        ["gap-seed", facts],
        ["gap-none", facts],
      ]);
    });
  });
});
