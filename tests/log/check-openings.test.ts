import { describe, expect, it } from "vitest";
import { Game } from "#shared/log/check/game.ts";
import { PlanCheck } from "#shared/log/check/plan-check.ts";
import { RoundCheck } from "#shared/log/check/round-check.ts";
import { DAY_MS, dayOf, dayText, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { checkContext } from "./check-context.ts";
import { hashFor } from "./leaves.ts";
import { hexOf, serverHash } from "./world.ts";
import {
  beaconRounds,
  closing,
  endOf,
  facts,
  GAME,
  MODE,
  ODDS,
  opening,
  roundOf,
  rounds,
  RULE,
  seed,
  SIGNED,
  T,
} from "./round-world.ts";

/* How a game opens its rounds, at the edges of what it may. */

describe("an opening", () => {
  it("is in no head before its time, but for the minute that clocks may be off", () => {
    const { check, heads, said } = rounds();
    check.open(opening(1));
    heads.add(T - MINUTE_MS);
    check.open(opening(3));
    heads.add(endOf(2) - MINUTE_MS - 1);
    expect(said.filter(([id]) => id === "opened-early")).toEqual([["opened-early", facts(3)]]);
  });

  it("has the terms of odds that were logged, and act by its close", () => {
    for (const [other, id] of [
      [{ odds: "8" }, "odds-unlogged"],
      [{ odds_hash: hashFor("other") }, "odds-other"],
      [{ rules: "dice-three" }, "terms"],
      [{ period: 60 }, "terms"],
      [{ unit: "mmk" as "point" }, "terms"],
    ] as const) {
      const { check, said } = rounds();
      check.open(opening(1, other));
      expect(said).toEqual([[id, facts(1)]]);
    }
    for (const [from, ids] of [
      [endOf(1) - 3 * SECOND_MS, []],
      [endOf(1) - 3 * SECOND_MS + 1, ["odds-later"]],
    ] as const) {
      const { check, game, ids: told } = rounds();
      game.odds.set(ODDS.id, { ...ODDS, from });
      check.open(opening(1));
      expect(told()).toEqual(ids);
    }
  });

  it("has the times of its place", () => {
    for (const [other, ids] of [
      [{ opens: T + 1 }, []],
      [{ opens: T - 1 }, ["timetable"]],
      [{ closes: endOf(1) - 2 * SECOND_MS }, ["timetable"]],
      [{ draws: endOf(1) + 1 }, ["timetable"]],
    ] as const) {
      const { check, ids: told } = rounds();
      check.open(opening(1, other));
      expect(told()).toEqual(ids);
    }
  });

  it("has a place that its day has", () => {
    const { check, marks, ids } = rounds();
    marks.anchor = null;
    for (const number of [24, 25]) check.open(opening(number, { commit: hashFor("any") }));
    expect(ids().filter((id) => id === "timetable")).toEqual(["timetable"]);
  });

  it("has the times of its own odds, and of the game's newest where its own are not there", () => {
    const { check, game, ids } = rounds();
    game.odds.set(ODDS.id, { ...ODDS, close: 5 });
    check.open(opening(1, { closes: endOf(1) - 5 * SECOND_MS }));
    expect(ids()).toEqual([]);
    const other = rounds();
    other.check.open(opening(1, { odds: "8" }));
    expect(other.ids()).toEqual(["odds-unlogged"]);
  });

  it("has no times before the game has a timetable", () => {
    const { check, game, said } = rounds();
    game.timetable = null;
    check.open(opening(1, { opens: T + 1, closes: endOf(2), draws: 2 }));
    expect(said).toEqual([]);
  });

  it("has the beacon of the mode that acts from its place on", () => {
    const closes = endOf(2) - 8 * SECOND_MS;
    for (const [rule, ids] of [
      [RULE, []],
      [MODE, []],
      [`${MODE}7:7`, ["rule"]],
      ["none", ["rule"]],
    ] as const) {
      const { check, closed, game, ids: told } = rounds();
      game.modes.push({ from: game.ordinal(roundOf(2))!, mode: MODE });
      closed(1);
      expect(told()).toEqual([]);
      check.open(opening(2, { beacon_rule: rule, closes: rule === "none" ? endOf(2) - 3 * SECOND_MS : closes }));
      expect(told()).toEqual(ids);
    }
  });

  it("with a beacon closes eight seconds before its draw, or earlier where its odds say so", () => {
    for (const [close, seconds, ids] of [
      [3, 8, []],
      [3, 7, ["timetable"]],
      [3, 9, ["timetable"]],
      [9, 9, []],
    ] as const) {
      const { check, game, ids: told } = beaconRounds();
      game.odds.set(ODDS.id, { ...ODDS, close });
      check.open(opening(1, { beacon_rule: RULE, closes: endOf(1) - seconds * SECOND_MS }));
      expect(told()).toEqual(ids);
    }
  });

  it("names the first beacon after its close", () => {
    for (const [isFirst, ids] of [
      [true, []],
      [false, ["beacon-first"]],
    ] as const) {
      const { check, said } = beaconRounds({ ...SIGNED, namesFirst: () => isFirst });
      check.open(opening(1, { beacon_rule: RULE, closes: endOf(1) - 8 * SECOND_MS }));
      expect(said).toEqual(ids.map((id) => [id, facts(1)]));
    }
    const { check, said } = rounds({ ...SIGNED, namesFirst: () => false });
    check.open(opening(1));
    expect(said).toEqual([]);
  });

  it("commits to the seed of the place before, in the day's chain", () => {
    const { check, said } = rounds();
    check.open(opening(1, { commit: hashFor("other") }));
    expect(said).toEqual([["commit", facts(1)]]);
  });

  it("of a day without an anchor is told once, and its commit is not compared", () => {
    const { check, marks, said } = rounds();
    marks.anchor = null;
    check.open(opening(1, { commit: hashFor("other") }));
    expect(said.splice(0)).toEqual([["no-anchor", facts(1)]]);
    check.open(opening(2, { commit: hashFor("other") }));
    expect(said.filter(([id]) => id === "no-anchor" || id === "commit")).toEqual([]);
  });

  it("of a day's first round asks how young its anchor is, and no later one", () => {
    const day = dayText(dayOf(T) + 1);
    const opens = T + DAY_MS;
    const { check, closed, heads, plan, said } = rounds();
    closed(24, {}, { commit: hexOf(seed(23)) });
    plan.anchor({ kind: "anchor", game: GAME, day, anchor: hashFor("tomorrow") });
    heads.add(endOf(24) - SECOND_MS);
    said.splice(0);
    const first = { round: roundOf(1, day), opens, draws: opens + HOUR_MS, commit: hashFor("tomorrow") };
    check.open(opening(1, { ...first, closes: opens + HOUR_MS - 3 * SECOND_MS }));
    expect(said.splice(0)).toEqual([["anchor-late", { game: GAME, day }]]);
    check.close(closing(1, { round: roundOf(1, day), closed: opens + HOUR_MS }));
    heads.add(opens + HOUR_MS);
    const second = { round: roundOf(2, day), opens: opens + HOUR_MS, draws: opens + 2 * HOUR_MS };
    check.open(opening(2, { ...second, closes: opens + 2 * HOUR_MS - 3 * SECOND_MS }));
    expect(said).toEqual([["commit", { game: GAME, round: roundOf(2, day) }]]);
  });

  it("has a place of which nothing was shown, nor of a later one", () => {
    const { check, closed, marks, said } = rounds();
    closed(1);
    marks.shown = 2;
    check.open(opening(2));
    expect(said.splice(0)).toEqual([["place-shown", facts(2)]]);
    expect(marks.shown).toBe(2);
    const other = rounds();
    other.closed(1);
    other.marks.shown = 5;
    other.check.open(opening(2));
    expect([other.ids(), other.marks.shown]).toEqual([["place-shown"], 5]);
  });

  it("comes after a head with the close of the round before", () => {
    const { check, heads, said } = rounds();
    check.open(opening(1));
    heads.add(endOf(1));
    check.open(opening(2));
    const before = ["before-close", { ...facts(2), before: roundOf(1) }];
    expect(said.splice(0)).toEqual([before]);
    const other = rounds();
    other.check.open(opening(1));
    other.heads.add(endOf(1));
    other.check.close(closing(1));
    other.check.open(opening(2));
    expect(other.said).toEqual([before]);
    const early = rounds();
    for (const number of [1, 2]) early.check.open(opening(number));
    expect(early.said[0]).toEqual(before);
  });

  it("in the first head of a log comes beside what was there before", () => {
    const { context, said } = checkContext();
    const game = new Game(GAME, serverHash);
    game.odds.set(ODDS.id, ODDS);
    const check = new RoundCheck(game, new PlanCheck(game, context), context);
    for (const number of [1, 2]) check.open(opening(number));
    expect(said).toEqual([["no-anchor", facts(1)]]);
  });

  it("is noted where the round stands in a gap", () => {
    const { check, game, said } = rounds();
    const ordinal = game.ordinal(roundOf(1))!;
    game.gaps.push({ from: ordinal, to: ordinal });
    check.open(opening(1));
    expect(said).toEqual([["gap-opened", facts(1)]]);
  });
});

describe("rounds between two openings", () => {
  /** Opens the first and the last of them, with these gaps and rounds between. */
  function between(last: number, gaps: readonly (readonly [number, number])[], opened: readonly number[] = []) {
    const made = rounds();
    made.closed(1);
    for (const number of opened) made.marks.mark(number, 1);
    made.check.open(opening(last));
    for (const [from, to] of gaps)
      made.game.gaps.push({ from: made.game.ordinal(roundOf(from))!, to: made.game.ordinal(roundOf(to))! });
    expect(made.said).toEqual([]);
    made.heads.add(endOf(last - 1));
    return made.said;
  }
  const missing = (from: number, to: number) => [
    ["rounds-missing", { game: GAME, from: roundOf(from), to: roundOf(to) }],
  ];

  it("stand in gaps by the next head", () => {
    expect(between(2, [])).toEqual([]);
    expect(between(3, [])).toEqual(missing(2, 2));
    expect(between(6, [])).toEqual(missing(2, 5));
    expect(between(6, [[2, 5]])).toEqual([]);
    expect(between(6, [[2, 3]])).toEqual(missing(4, 5));
    expect(between(6, [[4, 5]])).toEqual(missing(2, 3));
    expect(between(9, [[3, 4]])).toEqual(missing(2, 2));
    expect(
      between(9, [
        [2, 2],
        [4, 7],
      ]),
    ).toEqual(missing(3, 3));
  });

  it("are missed once, even if the later one is opened twice", () => {
    const { check, closed, heads, ids } = rounds();
    closed(1);
    for (const number of [3, 3]) check.open(opening(number));
    heads.add(endOf(2));
    expect(ids()).toEqual(["place-shown", "before-close", "rounds-missing"]);
  });

  it("were opened, or stand in a gap", () => {
    expect(between(6, [], [2, 3, 4, 5])).toEqual([]);
    expect(between(6, [], [2, 3])).toEqual(missing(4, 5));
    expect(between(6, [[4, 4]], [2, 3, 5])).toEqual([]);
    expect(between(7, [[4, 4]], [2, 3, 5])).toEqual(missing(6, 6));
    expect(between(7, [[4, 4]], [2, 3])).toEqual(missing(5, 6));
    expect(between(6, [[4, 4]], [2, 3])).toEqual(missing(5, 5));
  });

  it("are counted from the next one before, whatever a clock that was ahead had opened", () => {
    const { check, closed, heads, said } = rounds();
    closed(5);
    check.open(opening(2, {}));
    said.splice(0);
    check.close(closing(2));
    heads.add(endOf(2));
    said.splice(0);
    check.open(opening(4));
    expect(said.splice(0).map(([id]) => id)).toEqual(["place-shown"]);
    heads.add(endOf(3));
    expect(said).toEqual(missing(3, 3));
  });
});
