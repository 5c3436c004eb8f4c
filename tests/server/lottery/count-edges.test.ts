import { expect, it } from "vitest";
import { countPage, faultOf, noBets, settlersOf, unpaidOf, type BetRow } from "#server/domains/lottery/count-bets.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { placeOfType } from "#shared/lottery/rules.ts";

const RULES = rulesOf("dice-sum");
/** Small, which wins 1.95 times its stake. */
const MASK = 1 << placeOfType(RULES, "B")!;
const ROUND = {
  id: 3,
  fromBet: 1,
  toBet: 9,
  settlers: settlersOf({ kind: "dice-sum", dice: [1, 2, 4], odds: [[1, RULES.odds]], unit: null }),
};
const bet = (id: number, member: number, stake: number): BetRow => [id, member, 1, MASK, 0, stake, stake, 7, 3];

it("a bet of the smallest stake is counted, and its win of the smallest amount is still owed to who was passed over", () => {
  const count = noBets();
  countPage(count, ROUND, [bet(1, 5, 1), bet(2, 6, 100)]);
  expect(faultOf(count, ROUND)).toBeNull();
  expect([count.members.get(5)!.win, count.staked]).toEqual([1, 101]);
  const members = Float64Array.of(5, 6);
  const settled = [{ fromId: 1, toId: 9, settledTo: 9, indexedTo: 0 }];
  expect([...unpaidOf(count, members, settled, [[6, 195]]).members]).toEqual([5]);
});
