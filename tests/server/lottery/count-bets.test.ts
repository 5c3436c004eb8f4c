import { describe, expect, it } from "vitest";
import {
  countPage,
  faultOf,
  noBets,
  outcomeOf,
  PAGE,
  settlersOf,
  unpaidOf,
  type BetRow,
} from "#server/domains/lottery/count-bets.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { placeOfType } from "#shared/lottery/rules.ts";

const RULES = rulesOf("dice-sum");
const DICE = [1, 2, 4];
const drawn = (dice = DICE) => settlersOf({ kind: "dice-sum", dice, odds: [[1, RULES.odds]], unit: null });
const ROUND = { id: 3, fromBet: 1, toBet: 9_999, settlers: drawn() };
const maskOf = (type: string) => 1 << placeOfType(RULES, type)!;

/** A bet of one unit on small, which wins 1.95. */
function bet(
  id: number,
  over: Partial<Record<"member" | "stake" | "total" | "round" | "odds", number>> & { type?: string } = {},
): BetRow {
  const { member = 5, type = "B", stake = 100, total = stake, round = 3, odds = 1 } = over;
  return [id, member, odds, maskOf(type), 0, stake, total, 7, round];
}
function counted(...rows: BetRow[]) {
  const count = noBets();
  countPage(count, ROUND, rows);
  return count;
}
const faultIn = (...rows: BetRow[]) => faultOf(counted(...rows), ROUND);

describe("a page of bets", () => {
  it("counts those of its round alone, each member's in order", () => {
    const count = counted(bet(1), bet(2, { round: 4 }), bet(4, { member: 6, type: "A" }), bet(5, { stake: 200 }));
    expect(count).toMatchObject({ bets: 3, staked: 400, paid: 585, lastBet: 5, fault: null });
    expect([...count.members]).toEqual([
      [5, { ids: [1, 5], versions: [7, 7], wins: [195, 390], win: 585 }],
      [6, { ids: [4], versions: [7], wins: [0], win: 0 }],
    ]);
    expect(outcomeOf(5, count.members.get(5)!, 1_000, 9)).toEqual({
      memberId: 5,
      bets: [
        { id: 1, win: 195 },
        { id: 5, win: 390 },
      ],
      win: 585,
      balance: 1_000,
      version: 9,
    });
  });

  it("counts those of the members that are asked for", () => {
    const count = noBets();
    countPage(count, ROUND, [bet(1), bet(2, { member: 6 })], (memberId) => memberId === 6);
    expect([...count.members.keys()]).toEqual([6]);
  });

  it("names the bet after which the next page begins, until a page is not full", () => {
    const full = Array.from({ length: PAGE }, (_, i) => bet(i + 1, { round: 4 }));
    expect(countPage(noBets(), ROUND, full)).toBe(PAGE);
    expect(countPage(noBets(), ROUND, full.slice(1))).toBeNull();
    expect(countPage(noBets(), ROUND, [])).toBeNull();
  });
});

describe("a round is not paid", () => {
  it.each([
    ["with a bet that is counted twice", [bet(1), bet(1)], "bet 1 was counted twice"],
    ["with a bet out of order", [bet(2), bet(1)], "bet 1 was counted twice"],
    ["with odds of another game", [bet(1, { odds: 2 })], "bet 1 has other odds than its round"],
    ["with a bet that took less than its stakes", [bet(1, { total: 99 })], "bet 1 took 99, not its stakes"],
    ["with a bet that took more", [bet(1, { total: 101 })], "bet 1 took 101, not its stakes"],
    ["with a bet of nothing", [bet(1, { stake: 0 })], "bet 1 took 0, not its stakes"],
    ["with a bet below nothing that won", [bet(1, { stake: -100 })], "bet 1 would win -195"],
    ["with a bet below nothing that lost", [bet(1, { stake: -1, type: "A" })], "bet 1 took -1, not its stakes"],
  ])("%s", (_, rows, fault) => {
    expect(faultIn(...rows)).toBe(fault);
  });

  it("whose first fault is not its last", () => {
    expect(faultIn(bet(1, { total: 99 }), bet(2, { total: 98 }), bet(3))).toBe("bet 1 took 99, not its stakes");
  });

  it("whose dice are no draw, or whose sums do not agree", () => {
    expect(drawn([1, 2, 7])).toBeNull();
    expect(faultOf(counted(bet(1)), { settlers: null })).toBe("its dice are no draw of its kind");
    expect(faultOf({ ...counted(bet(1)), paid: 196 }, ROUND)).toBe("its members would win 195, its bets 196");
    expect(faultOf({ ...counted(bet(1)), paid: 2 ** 53 }, ROUND)).toMatch(/^it would pay/);
    expect(faultOf({ ...counted(bet(1)), staked: 2 ** 53 }, ROUND)).toMatch(/^it would pay/);
  });

  it("but is when all agree", () => {
    expect(faultIn(bet(1), bet(2, { member: 6, type: "A" }))).toBeNull();
    expect(faultIn()).toBeNull();
  });
});

describe("what is still to be paid", () => {
  const count = counted(
    bet(1),
    bet(2, { member: 6, type: "A" }),
    bet(3, { member: 7 }),
    bet(4, { member: 8, type: "A" }),
  );
  const members = Float64Array.from([5, 6, 7, 8]);
  const unpaid = (settledTo: number, payouts: [number, number][]) => {
    const range = { fromId: 1, toId: 9, settledTo, indexedTo: 0 };
    const { members: left, fault } = unpaidOf(count, members, [range], payouts);
    return [[...left], fault];
  };

  it("is everybody's at first", () => {
    expect(unpaid(0, [])).toEqual([[5, 6, 7, 8], null]);
  });

  it("is nobody's who was paid, nor a loser's who was told; a winner who was passed over is owed", () => {
    expect(unpaid(6, [[5, 195]])).toEqual([[7, 8], null]);
    expect(unpaid(7, [[5, 195]])).toEqual([[7, 8], null]);
    expect(unpaid(8, [[5, 195]])).toEqual([[7], null]);
  });

  it("is in doubt where somebody was paid something else, or for nothing", () => {
    expect(unpaid(5, [[5, 194]])[1]).toBe("member 5 was paid 194 and won 195");
    expect(
      unpaid(5, [
        [9, 1],
        [5, 1],
      ])[1],
    ).toBe("member 9 was paid 1 and won 0");
  });
});
