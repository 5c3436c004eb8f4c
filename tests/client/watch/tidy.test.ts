import { expect, it } from "vitest";
import type { KeptReceipt } from "#client/watch/kept.ts";
import { House, MEMBER, roundAt } from "./house.ts";
import { Phone } from "./phone.ts";

const CHECKED: Partial<KeptReceipt> = { state: "counted", payout: { win: "0.00", isRight: true } };
const MOST_CHECKED = 2_000;
const MOST_UNCHECKED = 20_000;

/** A phone that keeps receipts, one a millisecond, and tidies up. */
async function keeping(...all: [count: number, more: Partial<KeptReceipt>][]) {
  const phone = new Phone(new House());
  await phone.meets();
  const origin = phone.house.signer.key.name;
  const receipts = all.flatMap(([count, more]) => Array.from({ length: count }, () => more));
  const at = phone.now - receipts.length;
  const put = receipts.map((more, i): [(string | number)[], KeptReceipt] => {
    const order = `bet_${i + 1}`;
    const bet = { origin, member: MEMBER, order, game: "k3-1m", round: roundAt(1), receipt: "", at: at + i };
    const receipt: KeptReceipt = { ...bet, state: "taken", ...more };
    return [["receipt", receipt.member, origin, order], receipt];
  });
  await phone.shelf.write({ put });
  await phone.watcher.begin(null);
  const kept = async (member = MEMBER) => (await phone.kept.receipts(member)).length;
  return { phone, kept };
}

it.each<[string, Partial<KeptReceipt>]>([
  ["were not counted yet", { state: "taken" }],
  ["are wrong", { state: "wrong" }],
  ["were not paid rightly", { state: "counted", payout: { win: "0.00", isRight: false } }],
  ["could not be reckoned", { state: "counted", payout: { win: "0.00", isRight: null } }],
  ["won what never came", { state: "counted", payout: { win: "1.00", isRight: true, credit: "lacks" } }],
  ["were counted, and no more", { state: "counted" }],
])("receipts that %s stay beside as many that were checked", async (_, more) => {
  const { phone, kept } = await keeping([3, more], [MOST_CHECKED + 2, CHECKED]);
  expect([await kept(), (await phone.report()).bets.dropped]).toEqual([MOST_CHECKED + 3, 0]);
  expect(await phone.kept.newestReceipt(MEMBER, "bet_1")).toMatchObject(more);
});

it("the oldest receipts that were checked go first, of each member by themselves", async () => {
  const { phone, kept } = await keeping([5, { ...CHECKED, member: "mem_8" }], [MOST_CHECKED + 1, CHECKED]);
  expect([await kept(), await kept("mem_8")]).toEqual([MOST_CHECKED, 5]);
  expect(await phone.kept.newestReceipt(MEMBER, "bet_6")).toBeUndefined();
});

it("a receipt that was not checked outlives the month", async () => {
  const { phone, kept } = await keeping([1, { state: "counted" }], [1, CHECKED]);
  phone.now += 31 * 86_400_000;
  await phone.watcher.begin(null);
  expect([await kept(), (await phone.report()).bets.dropped]).toEqual([1, 0]);
});

it("too many receipts that nobody could check are dropped, and counted", async () => {
  const { phone, kept } = await keeping([MOST_UNCHECKED + 2, { state: "taken" }]);
  expect([await kept(), (await phone.report()).bets.dropped]).toEqual([MOST_UNCHECKED, 2]);
  await phone.watcher.begin(null);
  expect((await phone.report()).bets.dropped).toBe(2);
});
