import { hexToBytes } from "@noble/hashes/utils.js";
import { expect } from "vitest";
import { expectedWin, type PlacedBet } from "#client/watch/check-bet.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { toDecimal } from "#shared/money.ts";
import { House, MEMBER, roundAt } from "./house.ts";
import { Phone } from "./phone.ts";

/** A phone with a bet in an open round, and how it takes its receipt. */
export async function betting(more: Parameters<House["bet"]>[2] = {}) {
  const house = new House();
  const phone = new Phone(house);
  const beacon = (more.rule ?? "none") === "none" ? "none" : "drand";
  await phone.hear({ type: "head", head: house.note() }, house.open(1, { beacon }));
  await phone.wait();
  const bet = house.bet("bet_1", 1, more);
  const take = (placed: Partial<PlacedBet> = {}, receipt = bet.receipt) =>
    phone.watcher.answer("take", { placed: { ...bet.placed, ...placed }, receipt });
  return { house, phone, bet, take };
}

/** What the first bet wins, as the rules say. */
export const winOf = (house: House, receipt: string): string =>
  toDecimal(expectedWin(parseReceipt(receipt)!, house.fairRound(roundAt(1)), hexToBytes(house.seed(1)))!);

/** The same, with the receipt taken and the round closed. */
export async function drawn(more: Parameters<House["bet"]>[2] = {}) {
  const one = await betting(more);
  const { house, phone, bet, take } = one;
  expect(await take()).toBe("right");
  house.bet("bet_2", 1);
  house.bet("bet_3", 1);
  const told = house.close(1);
  const win = winOf(house, bet.receipt);
  const settle = (paid = win) =>
    phone.hear(house.result(1), { type: "settled", orders: [{ member: MEMBER, order: "bet_1", win: paid }] });
  const state = async () => (await phone.kept.newestReceipt(MEMBER, "bet_1"))!.state;
  return { ...one, told, win, settle, state };
}
