import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plans } from "#db/schema/member.ts";
import { DAY_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

/** Monday, 2 March 2026. */
const MONDAY = Date.UTC(2026, 2, 2);
const bet = (money: number, expect = "20260302-0001") =>
  mia.call("/game/placeOrder", { item: "A,C", money: String(money), lid: "lot_1", mid: "", expect });
const dataOf = async (reply: Promise<{ code: number; data: unknown }>) => {
  const { code, data } = await reply;
  expect(code).toBe(422);
  return data;
};

describe("a refusal says in figures", () => {
  it("what the balance lacks", async () => {
    expect(await dataOf(bet(600))).toEqual({ reason: "balance.insufficient", missing: "200.00" });
    const plan = { id: "plan_dear", name: { en_us: "Dear" }, days: 30, price: 150_000, position: 0 };
    await w.deps.db.transact((tx) => tx.insert(plans).values(plan));
    const short = { reason: "balance.insufficient", missing: "500.00" };
    expect(await dataOf(mia.call("/member/buyPlan", { id: "plan_dear" }))).toEqual(short);
  });

  it("which limit leaves the least, how much, and when its period ends", async () => {
    await mia.call("/member/limits", { stake_day: "300", stake_week: "250", loss_month: "900", recharge_month: "1" });
    expect((await bet(50)).code).toBe(200);
    const week = { reason: "limit.reached", limit: "stake_week", left: "150.00" };
    expect(await dataOf(bet(100))).toEqual({ ...week, resets_ms: MONDAY + 7 * DAY_MS });
    await mia.call("/member/limits", { stake_day: "120" });
    const day = { reason: "limit.reached", limit: "stake_day", left: "20.00" };
    expect(await dataOf(bet(11))).toEqual({ ...day, resets_ms: MONDAY + DAY_MS });
    // Lowered below what it counts already.
    await mia.call("/member/limits", { loss_month: "1" });
    const month = { reason: "limit.reached", limit: "loss_month", left: "0.00" };
    expect(await dataOf(bet(10))).toEqual({ ...month, resets_ms: Date.UTC(2026, 3, 1) });
  });

  it("which limit on top-ups stands in the way", async () => {
    await mia.call("/member/limits", { recharge_month: "40", stake_day: "1" });
    expect(await dataOf(mia.call("/member/doRecharge", { pay_way: "sandbox", money: "50" }))).toEqual({
      reason: "limit.reached",
      limit: "recharge_month",
      left: "40.00",
      resets_ms: Date.UTC(2026, 3, 1),
    });
  });

  it("how the game stands, and from when its next round is open", async () => {
    w.pass(56_000);
    const next = MONDAY + 60_000;
    expect(await dataOf(bet(10))).toEqual({ reason: "round.closed", state: "drawing", next_ms: next });
    await w.live(4_000);
    expect(await dataOf(bet(10))).toEqual({ reason: "round.closed", state: "open", next_ms: next });
  });
});
