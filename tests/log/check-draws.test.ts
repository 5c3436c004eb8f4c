import { describe, expect, it } from "vitest";
import type { BeaconCheck } from "#shared/log/check/context.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, toIso } from "#shared/time.ts";
import { hexOf } from "./world.ts";
import {
  beaconRounds,
  closing,
  drawing,
  endOf,
  facts,
  opening,
  rounds,
  RULE,
  seed,
  settling,
  SIGNED,
  T,
} from "./round-world.ts";

/* How a game closes and draws its rounds, at the edges of what it may. */

it("a round that is opened, closed, drawn and settled has no fault", () => {
  const { check, closed, heads, said, marks } = rounds();
  for (const number of [1, 2, 3]) {
    closed(number);
    check.draw(drawing(number));
    check.settle(settling(number));
    heads.add(endOf(number));
  }
  check.end(endOf(10));
  expect([said, marks.shown]).toEqual([[], 3]);
});

describe("a close", () => {
  it("says how early or late it came, up to a minute late without a word", () => {
    const at = endOf(1) - 3 * SECOND_MS;
    for (const [offMs, expected] of [
      [0, []],
      [MINUTE_MS, []],
      [MINUTE_MS + 1, [["closed-late", { ...facts(1), seconds: 60 }]]],
      [90 * SECOND_MS, [["closed-late", { ...facts(1), seconds: 90 }]]],
      [-1, [["closed-early", { ...facts(1), seconds: 0 }]]],
      [-5 * SECOND_MS, [["closed-early", { ...facts(1), seconds: 5 }]]],
    ] as const) {
      const { closed, said } = rounds();
      closed(1, { closed: at + offMs });
      expect(said).toEqual(expected);
    }
  });

  it("has the time of its head, within ninety seconds", () => {
    const at = endOf(1) - 3 * SECOND_MS;
    for (const offMs of [90 * SECOND_MS, -90 * SECOND_MS]) {
      for (const [more, dated] of [
        [0, []],
        [Math.sign(offMs), ["dated"]],
      ] as const) {
        const { check, heads, said } = rounds();
        check.open(opening(1));
        heads.add(T);
        check.close(closing(1));
        said.splice(0);
        const time = at + offMs + more;
        heads.add(time);
        const told = { ...facts(1), kind: "close", at: toIso(at), time: toIso(time) };
        expect(said).toEqual(dated.map((id) => [id, told]));
      }
    }
  });

  it("has no bets where a gap took the round, nor is a void round drawn", () => {
    for (const [bets, ids] of [
      [0, []],
      [1, ["gap-over-round"]],
    ] as const) {
      const { closed, marks, said } = rounds();
      marks.mark(1, 8);
      closed(1, { bets });
      expect([said, marks.has(1, 2)]).toEqual([ids.map((id) => [id, facts(1)]), bets > 0]);
    }
    const { check, closed, marks, said } = rounds();
    closed(1);
    marks.mark(1, 8);
    check.draw(drawing(1));
    expect([said, marks.has(1, 4)]).toEqual([[["gap-over-round", facts(1)]], true]);
  });
});

describe("a draw", () => {
  it("comes after a head with the close", () => {
    const { check, heads, said } = rounds();
    check.open(opening(1));
    heads.add(T);
    check.draw(drawing(1));
    expect(said.splice(0)).toEqual([["draw-unclosed", facts(1)]]);
    const other = rounds();
    other.check.open(opening(1));
    other.heads.add(T);
    other.check.close(closing(1));
    other.check.draw(drawing(1));
    expect(other.said).toEqual([["draw-unclosed", facts(1)]]);
  });

  it("has the seed of its place, which was never shown, and its dice", () => {
    for (const [other, ids] of [
      [{ seed: hexOf(seed(2)), dice: drawing(1).dice }, ["seed", "dice"]],
      [
        {
          dice: drawing(1)
            .dice.toReversed()
            .map((die) => 7 - die),
        },
        ["dice"],
      ],
      [{ due: endOf(1) + 1 }, ["due"]],
      [{ beacon: "ab" }, ["beacon"]],
      [{ beacon_signature: "ab" }, ["beacon"]],
    ] as const) {
      const { check, closed, said } = rounds();
      closed(1);
      check.draw(drawing(1, other));
      expect(said).toEqual(ids.map((id) => [id, facts(1)]));
    }
    const { check, closed, context, said } = rounds();
    closed(1);
    context.isShownAgain(hexOf(seed(1)));
    check.draw(drawing(1));
    expect(said).toEqual([["seed-again", facts(1)]]);
  });

  it("of a day without an anchor has whatever seed; of an unknown kind it has no dice", () => {
    const { check, closed, marks, said } = rounds();
    closed(1);
    marks.anchor = null;
    check.draw(drawing(1));
    expect(said.splice(0)).toEqual([]);
    const other = rounds();
    other.closed(1, {}, { rules: "dice-nine" });
    other.said.splice(0);
    other.check.draw(drawing(1));
    expect(other.said).toEqual([["dice", facts(1)]]);
  });

  it("says how early or late it came, and has the time of its head", () => {
    for (const [offMs, expected] of [
      [MINUTE_MS, []],
      [MINUTE_MS + 1, [["drawn-late", { ...facts(1), seconds: 60 }]]],
      [-1, [["drawn-early", { ...facts(1), seconds: 0 }]]],
      [-9 * SECOND_MS, [["drawn-early", { ...facts(1), seconds: 9 }]]],
    ] as const) {
      const { check, closed, heads, said } = rounds();
      closed(1);
      const drawn = endOf(1) + offMs;
      check.draw(drawing(1, { drawn }));
      expect(said.splice(0)).toEqual(expected);
      heads.add(drawn + 90 * SECOND_MS + 1);
      expect(said.map(([id, { kind }]) => [id, kind])).toEqual([["dated", "draw"]]);
    }
  });

  it("without bets is the end of its round", () => {
    const { check, closed, said } = rounds();
    closed(1, { bets: 0 });
    check.draw(drawing(1));
    check.settle(settling(1, { payouts: 0, payout: 0 }));
    expect(said).toEqual([]);
    for (const paid of [
      { payouts: 1, payout: 0 },
      { payouts: 0, payout: 1 },
    ]) {
      check.settle(settling(1, paid));
      expect(said.splice(0)).toEqual([["settle-sum", facts(1)]]);
    }
  });
});

describe("a draw with a beacon", () => {
  const open = { beacon_rule: RULE, closes: endOf(1) - 8 * SECOND_MS };
  const close = { closed: open.closes };
  const shown = { beacon: "abcd", beacon_signature: "ef" };

  it("that nobody here can check says so, and its dice are not computed", () => {
    const { check, closed, said, waiting } = beaconRounds();
    closed(1, close, open);
    check.draw(drawing(1, { dice: [1, 1, 1] }, RULE));
    expect([said, waiting]).toEqual([[["beacon-unchecked", facts(1)]], []]);
  });

  it("that fits waits for its signature, and its dice are those of both", () => {
    const asked: unknown[] = [];
    const fits: BeaconCheck["fits"] = (drawn) => asked.push(drawn) > 0;
    const { check, closed, said, waiting } = beaconRounds({ ...SIGNED, fits });
    closed(1, close, open);
    check.draw(drawing(1, shown, RULE));
    expect(said).toEqual([]);
    expect(waiting).toEqual([[{ rule: RULE, signature: "ef" }, facts(1)]]);
    expect(asked).toEqual([{ rule: RULE, beacon: "abcd", signature: "ef", closes: open.closes, due: endOf(1) }]);
    const other = beaconRounds(SIGNED);
    other.closed(1, close, open);
    other.check.draw({ ...drawing(1, shown, RULE), beacon: "abce" });
    expect(other.said).toEqual([["dice", facts(1)]]);
  });

  it("that does not fit is false", () => {
    const { check, closed, said, waiting } = beaconRounds({ ...SIGNED, fits: () => false });
    closed(1, close, open);
    check.draw(drawing(1, shown, RULE));
    expect([said, waiting]).toEqual([[["beacon-false", facts(1)]], []]);
  });

  it("tells what the time was", () => {
    const { check, closed, heads } = beaconRounds({ ...SIGNED, signedAt: () => endOf(3) });
    closed(1, close, open);
    check.draw(drawing(1, shown, RULE));
    const dated: string[] = [];
    heads.onDated(endOf(2), MINUTE_MS, (one) => dated.push(one));
    heads.add(endOf(2) + 2 * DAY_MS);
    heads.onDated(endOf(2), MINUTE_MS, (one) => dated.push(one));
    heads.add(endOf(2) + 2 * DAY_MS + MINUTE_MS);
    expect(dated).toEqual(["in time", "back"]);
  });
});
