import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { expectedWin } from "#client/watch/check-bet.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { drandMode, QUICKNET, randomnessOf } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { commitOf } from "#shared/lottery/fairness.ts";
import { toDecimal } from "#shared/money.ts";
import { House, MEMBER, roundAt } from "./house.ts";
import { Phone } from "./phone.ts";

const OTHER = "cd".repeat(32);
/** A true beacon of quicknet. */
const TRUE = {
  round: 1_000,
  signature: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
};
const RULE = `${drandMode(QUICKNET)}:${TRUE.round}`;

interface How {
  bets?: number;
  rule?: string;
  draw?: Partial<Leaf<"draw">>;
  seed?: string;
}

/** A phone that goes away with bets on a round, which is then drawn and paid. */
async function away({ bets = 1, rule = "none", draw = {}, seed = "" }: How = {}) {
  const house = new House();
  const phone = new Phone(house);
  phone.beacons = QUICKNET_BEACONS;
  await phone.hear({ type: "head", head: house.note() }, house.open(2));
  await phone.wait();
  const commit = seed === "" ? house.commit(1) : commitOf(hexToBytes(seed));
  const orders = Array.from({ length: bets }, (_, i) => `bet_${i + 1}`);
  const receipts = orders.map((order) => house.bet(order, 1, { rule, commit }));
  for (const one of receipts) expect(await phone.watcher.answer("take", one)).toBe("right");
  house.stateOpen(1, { beacon_rule: rule, commit });
  house.close(1);
  const mixed = rule === "none" ? {} : { beacon: randomnessOf(TRUE.signature), beacon_signature: TRUE.signature };
  const dice = [...house.dice(1, { rule, beacon: "", ...mixed })];
  house.stateDraw(1, { ...mixed, dice, ...draw });
  const round = { ...house.fairRound(roundAt(1)), rule, ...mixed };
  phone.instead.round = () => round;
  const win = toDecimal(expectedWin(parseReceipt(receipts[0]!.receipt)!, round, hexToBytes(house.seed(1)))!);
  const pay = (paid = win) => orders.forEach((order) => house.paid.set(order, paid));
  const visit = async () => {
    await phone.hear({ type: "head", head: house.note() }, { type: "member", member: MEMBER });
    await rest();
  };
  const rest = async () => {
    for (let i = 0; i < 2 * bets + 2; i++) await phone.wait();
  };
  const kept = async () => (await phone.kept.receipts(MEMBER)).map(({ state, payout }) => ({ state, payout }));
  return { house, phone, win, pay, visit, rest, kept };
}

describe("a bet that was settled while the app was away", () => {
  it.each([
    ["without a beacon", "none"],
    ["with one", RULE],
  ])("is checked by the log's draw, %s", async (_, rule) => {
    const { phone, win, pay, visit, kept } = await away({ rule });
    pay();
    await visit();
    expect(await phone.found()).toEqual([]);
    expect(await kept()).toEqual([{ state: "untold", payout: { win, isRight: true, credit: "there" } }]);
  });

  it("and was paid too little is found, and told once", async () => {
    const { house, phone, pay, visit, rest, kept } = await away();
    pay("0.01");
    await visit();
    await visit();
    house.close(2);
    await phone.hear({ type: "again", member: MEMBER });
    await rest();
    expect(await phone.found()).toEqual(["payout"]);
    expect(phone.told.filter(({ to }) => to === "found")).toHaveLength(2);
    expect(await kept()).toEqual([{ state: "untold", payout: { win: "0.01", isRight: false } }]);
  });

  it("is checked when the line is there again, too", async () => {
    const { phone, win, pay, rest, kept } = await away();
    pay();
    await phone.hear({ type: "again", member: MEMBER });
    await rest();
    expect(await kept()).toEqual([{ state: "untold", payout: { win, isRight: true, credit: "there" } }]);
  });

  it("and is not paid yet is checked once it is, and counted once", async () => {
    const { house, phone, win, pay, visit, kept } = await away();
    await phone.hears(house.tell(1));
    await visit();
    expect(await kept()).toEqual([{ state: "counted", payout: undefined }]);
    pay();
    await visit();
    await visit();
    expect(await kept()).toEqual([{ state: "counted", payout: { win, isRight: true, credit: "there" } }]);
    expect((await phone.report()).bets).toEqual({ counted: 1, waiting: 0, untold: 0, dropped: 0 });
    expect(phone.asked.filter((question) => question === "proof")).toHaveLength(2);
  });

  it.each<[string, Parameters<typeof away>[0], string]>([
    ["another seed than its commit allows", { draw: { seed: OTHER } }, "otherCommit"],
    ["a seed that does not lead to the kept anchor", { seed: OTHER, draw: { seed: OTHER } }, "seed"],
    ["other dice than its seed gives", { draw: { dice: [1, 1, 1] } }, "dice"],
    ["a beacon that its rule does not allow", { draw: { beacon: OTHER } }, "dice"],
    [
      "a beacon that nobody signed",
      { rule: RULE, draw: { beacon: randomnessOf("ab".repeat(48)), beacon_signature: "ab".repeat(48) } },
      "dice",
    ],
  ])("and was drawn with %s is found", async (_, how, kind) => {
    const { phone, pay, visit, kept } = await away(how);
    pay();
    await visit();
    expect(await phone.found()).toEqual([kind]);
    expect(await kept()).toEqual([{ state: "untold", payout: undefined }]);
  });

  it.each<[string, (house: House) => { leaf: string; number: number } | null]>([
    ["no draw", () => null],
    ["another leaf for the draw", (house) => house.proof("bet_1").close],
    ["a draw that is not in the log", (house) => ({ ...house.proof("bet_1").draw!, number: 0 })],
  ])("is left open while the house shows %s", async (_, draw) => {
    const { house, phone, win, pay, visit, kept } = await away();
    pay();
    phone.instead.proof = ({ id }) => ({ ...house.proof(id), draw: draw(house) });
    await visit();
    expect([await phone.found(), await kept()]).toEqual([[], [{ state: "untold", payout: undefined }]]);
    delete phone.instead.proof;
    await visit();
    expect(await kept()).toEqual([{ state: "untold", payout: { win, isRight: true, credit: "there" } }]);
  });

  it("waits its turn: one is asked for at a time, and one that fails holds up no other", async () => {
    const { house, phone, win, pay, kept } = await away({ bets: 4 });
    pay();
    phone.instead.orders = ({ id }) => {
      if (id === "bet_2") throw new Error("no answer");
      return house.answer("orders", { id }) as never;
    };
    await phone.hear({ type: "head", head: house.note() }, { type: "member", member: MEMBER });
    await phone.hear({ type: "again", member: MEMBER });
    const asked = () => phone.asked.filter((question) => question === "proof").length;
    await phone.wait();
    expect(asked()).toBe(1);
    await expect(phone.wait()).rejects.toThrow("no answer");
    expect(asked()).toBe(2);
    await phone.wait();
    expect(asked()).toBe(3);
    await phone.wait();
    await phone.wait();
    expect(asked()).toBe(4);
    const right = { state: "untold", payout: { win, isRight: true, credit: "there" } };
    expect(await kept()).toEqual([right, { state: "untold", payout: undefined }, right, right]);
  });

  it("is asked for only while its own member is there", async () => {
    const { phone, pay } = await away({ bets: 3 });
    pay();
    await phone.hear({ type: "member", member: MEMBER });
    await phone.wait();
    await phone.hear({ type: "member", member: "mem_8" });
    for (let i = 0; i < 5; i++) await phone.wait();
    expect(phone.asked.filter((question) => question === "proof")).toHaveLength(1);
  });
});

describe("a bet whose dice were checked as they fell", () => {
  it("is not paid by a beacon that the house shows afterwards", async () => {
    const { house, phone, pay, visit } = await away();
    await phone.hear(house.open(1));
    await phone.wait();
    await phone.hear(house.result(1));
    pay();
    phone.instead.round = () => ({ ...house.fairRound(roundAt(1)), beacon: OTHER });
    await visit();
    expect(await phone.found()).toEqual(["dice"]);
  });
});
