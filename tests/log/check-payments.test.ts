import { describe, expect, it } from "vitest";
import type { BeaconCheck } from "#shared/log/check/context.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from "#shared/time.ts";
import { hashFor, LEAF } from "./leaves.ts";
import {
  beaconRounds,
  closing,
  drawing,
  endOf,
  facts,
  opening,
  rounds,
  RULE,
  settling,
  SIGNED,
  T,
} from "./round-world.ts";

/* What a game pays and returns, and what is due, at the edges of what it may. */

describe("what is told of a round", () => {
  it("that was opened before the log began is noted", () => {
    const { check, closed, said } = rounds();
    check.close(closing(4));
    expect(said.splice(0)).toEqual([["before-log", facts(4)]]);
    closed(4);
    said.splice(0);
    check.close(closing(3));
    check.draw(drawing(3));
    expect(said.splice(0)).toEqual([
      ["before-log", facts(3)],
      ["before-log", facts(3)],
    ]);
    check.close(closing(5));
    expect(said.splice(0)).toEqual([["unopened", { ...facts(5), kind: "close" }]]);
    check.settle(settling(5));
    expect(said).toEqual([["unopened", { ...facts(5), kind: "settle" }]]);
  });

  it("needs an opening once the game has one, and no timetable says what came before", () => {
    const { check, closed, game, said } = rounds();
    closed(4);
    said.splice(0);
    game.timetable = null;
    check.close(closing(3));
    expect(said).toEqual([["unopened", { ...facts(3), kind: "close" }]]);
  });

  it("is nothing more where all of it was told", () => {
    const { check, closed, said } = rounds();
    closed(1);
    check.draw(drawing(1));
    check.settle(settling(1));
    check.close(closing(1));
    expect(said).toEqual([]);
  });
});

describe("a settlement", () => {
  it("comes after the draw", () => {
    const { check, closed, said } = rounds();
    closed(1);
    check.settle(settling(1));
    expect(said.splice(0)).toEqual([["settle-undrawn", facts(1)]]);
    check.draw(drawing(1));
    check.end(endOf(1) + 9 * DAY_MS);
    expect(said).toEqual([]);
  });

  it("pays no more than the best rate on all stakes, to no more than the bets", () => {
    // 300 staked at 207 to 1.
    for (const [other, ids] of [
      [{ payouts: 2, payout: 62_100 }, []],
      [{ payouts: 2, payout: 62_101 }, ["settle-sum"]],
      [{ payouts: 3, payout: 5 }, ["settle-sum"]],
      [{ payouts: 0, payout: 0 }, []],
      [{ payouts: 0, payout: 1 }, ["settle-sum"]],
      [{ payouts: 1, payout: 0 }, []],
    ] as const) {
      const { check, closed, said } = rounds();
      closed(1);
      check.draw(drawing(1));
      check.settle(settling(1, other));
      expect(said).toEqual(ids.map((id) => [id, facts(1)]));
    }
  });

  it("of a round that was never closed, or has no odds, pays nothing", () => {
    const { check, heads, ids } = rounds();
    check.open(opening(1));
    heads.add(T);
    check.settle(settling(1, { payouts: 0, payout: 0 }));
    expect(ids()).toEqual(["settle-undrawn"]);
    const other = rounds();
    other.check.open(opening(1));
    other.check.settle(settling(1, { payouts: 1, payout: 0 }));
    expect(other.ids()).toEqual(["settle-undrawn", "settle-sum"]);
    const paid = rounds();
    paid.check.open(opening(1));
    paid.check.settle(settling(1, { payouts: 0, payout: 1 }));
    expect(paid.ids()).toEqual(["settle-undrawn", "settle-sum"]);
    for (const [payout, ids] of [
      [0, []],
      [1, ["settle-sum"]],
    ] as const) {
      const free = rounds();
      free.closed(1, { stake: 1_000_000 }, { odds: "8" });
      free.check.draw(drawing(1));
      free.ids();
      free.check.settle(settling(1, { payouts: 1, payout }));
      expect(free.ids()).toEqual(ids);
    }
  });

  it("of a round without bets that was never opened here is not judged", () => {
    const { check, closed, said, marks } = rounds();
    closed(4);
    said.splice(0);
    check.settle(settling(3));
    expect(said.splice(0)).toEqual([["before-log", facts(3)]]);
    marks.mark(3, 6);
    check.settle(settling(3));
    expect(said).toEqual([["before-log", facts(3)]]);
  });
});

describe("stakes that go back", () => {
  const open = { beacon_rule: RULE, closes: endOf(1) - 8 * SECOND_MS };
  const close = { closed: open.closes };
  const at = endOf(1);
  const returned = (other: Partial<Leaf<"refund">> = {}): Leaf<"refund"> => ({
    ...LEAF.refund,
    ...facts(1),
    at,
    ...other,
  });
  const signedAt = (ms: number): BeaconCheck => ({ ...SIGNED, signedAt: () => ms });

  it("do so more than an hour before anybody can know the beacon", () => {
    for (const [aheadMs, ids] of [
      [HOUR_MS + 1, []],
      [HOUR_MS, ["refund"]],
    ] as const) {
      const { check, closed, marks, said } = beaconRounds(signedAt(at + aheadMs));
      closed(1, close, open);
      check.refund(returned());
      expect([said, marks.has(1, 16)]).toEqual([ids.map((id) => [id, facts(1)]), true]);
    }
  });

  it("do so only where there is a beacon, and before the draw", () => {
    const { check, closed, said } = rounds(signedAt(at + DAY_MS));
    closed(1);
    check.refund(returned());
    expect(said.splice(0)).toEqual([["refund", facts(1)]]);
    const unknown = beaconRounds(SIGNED);
    unknown.closed(1, close, open);
    unknown.check.refund(returned());
    expect(unknown.said).toEqual([["refund", facts(1)]]);
    const drawn = beaconRounds(signedAt(at + DAY_MS));
    drawn.closed(1, close, open);
    drawn.check.draw(drawing(1, { beacon: "ab", beacon_signature: "ef" }, RULE));
    drawn.check.refund(returned());
    expect(drawn.said).toEqual([["refund", facts(1)]]);
  });

  it("are noted where nobody here can check the beacon", () => {
    const { check, closed, said } = beaconRounds();
    closed(1, close, open);
    check.refund(returned());
    expect(said.splice(0)).toEqual([["beacon-unchecked", facts(1)]]);
    const none = rounds();
    none.closed(1);
    none.check.refund(returned());
    expect(none.said).toEqual([["refund", facts(1)]]);
  });

  it("are those of the close", () => {
    for (const other of [{ bets: 3 }, { stake: 299 }, { bets_root: hashFor("other") }]) {
      const { check, closed, said } = beaconRounds(signedAt(at + DAY_MS));
      closed(1, close, open);
      check.refund(returned(other));
      expect(said).toEqual([["refund-sum", facts(1)]]);
    }
    const { check, said } = beaconRounds(signedAt(at + DAY_MS));
    check.open(opening(1, open));
    check.refund(returned());
    expect(said).toEqual([["refund-sum", facts(1)]]);
  });

  it("are the end of their round: nothing is drawn or paid afterwards, or missed", () => {
    const { check, closed, said } = beaconRounds(signedAt(at + DAY_MS));
    closed(1, close, open);
    check.refund(returned());
    check.end(endOf(1) + 9 * DAY_MS);
    expect(said).toEqual([]);
    check.draw(drawing(1));
    expect(said.splice(0)).toEqual([["refund", facts(1)]]);
    check.settle(settling(1));
    expect(said).toEqual([["refund", facts(1)]]);
  });

  it("have the time of their head, and half an hour until it", () => {
    const { check, closed, heads, said } = beaconRounds(signedAt(at + 9 * DAY_MS));
    closed(1, close, open);
    for (let time = at; time <= at + 29 * MINUTE_MS; time += MINUTE_MS) heads.add(time);
    check.refund(returned());
    heads.add(at + 30 * MINUTE_MS);
    const told = (time: number) => ({ ...facts(1), at: toIso(at), time: toIso(time) });
    expect(said).toEqual([["dated", { ...told(at + 30 * MINUTE_MS), kind: "refund" }]]);
    const other = beaconRounds(signedAt(at + 9 * DAY_MS));
    other.closed(1, close, open);
    for (let time = at; time <= at + 30 * MINUTE_MS; time += MINUTE_MS) other.heads.add(time);
    other.check.refund(returned());
    other.heads.add(at + 31 * MINUTE_MS);
    expect(other.said).toEqual([
      ["dated", { ...told(at + 31 * MINUTE_MS), kind: "refund" }],
      ["refund-dated", told(at + 31 * MINUTE_MS)],
    ]);
  });
});

describe("at the end", () => {
  /** Heads of each minute; the last one at this time. */
  function spoken(heads: ReturnType<typeof rounds>["heads"], until: number) {
    for (let at = heads.last!; at < until; at += MINUTE_MS) heads.add(at);
    heads.add(until);
  }
  const steps = {
    close: ({ check, heads }: ReturnType<typeof rounds>) => {
      check.open(opening(1));
      heads.add(T);
      return endOf(1) - 3 * SECOND_MS;
    },
    draw: ({ closed }: ReturnType<typeof rounds>) => {
      closed(1);
      return endOf(1);
    },
    settle: ({ check, closed, heads }: ReturnType<typeof rounds>) => {
      closed(1);
      check.draw(drawing(1, { drawn: endOf(1) + 500 }));
      heads.add(endOf(1) + 500);
      return endOf(1) + 500;
    },
  };

  it("what is due waits ten minutes without a word, a day with a note, and is a problem then", () => {
    for (const kind of ["close", "draw", "settle"] as const)
      for (const [waited, ids] of [
        [10 * MINUTE_MS, []],
        [10 * MINUTE_MS + 1, ["waiting"]],
        [DAY_MS, ["waiting"]],
        [DAY_MS + 1, ["overdue"]],
      ] as const) {
        const made = rounds();
        const due = steps[kind](made);
        spoken(made.heads, due + waited);
        made.said.splice(0);
        made.check.end(due + waited);
        expect(made.said).toEqual(ids.map((id) => [id, { ...facts(1), kind, time: toIso(due) }]));
      }
  });

  it("is waited for no longer than the log has spoken since the opening", () => {
    const { check, heads, said } = rounds();
    check.open(opening(1));
    heads.add(T);
    heads.add(T + 5 * DAY_MS);
    check.end(T + 5 * DAY_MS);
    expect(said).toEqual([]);
    heads.add(T + 5 * DAY_MS + 1);
    check.end(T + 5 * DAY_MS + 1);
    expect(said.map(([id]) => id)).toEqual(["waiting"]);
  });

  it("nothing is due of a round whose opening is in no head", () => {
    const { check, heads, said } = rounds();
    heads.add(T);
    check.open(opening(1));
    check.end(endOf(1) + DAY_MS);
    expect(said).toEqual([]);
  });

  it("nothing is due of a round that a gap took, once it is closed", () => {
    const { check, closed, heads, marks, said } = rounds();
    closed(1, { bets: 0 });
    marks.mark(1, 8);
    spoken(heads, endOf(30));
    check.end(endOf(30));
    expect(said).toEqual([]);
    const other = rounds();
    other.check.open(opening(1));
    other.heads.add(T);
    other.marks.mark(1, 8);
    spoken(other.heads, endOf(30));
    other.check.end(endOf(30));
    expect(other.said.map(([id]) => id)).toEqual(["overdue"]);
  });
});
