import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { bet, traces } from "../../support/ledger.ts";
import { notify, orderTopUp } from "../../support/top-up.ts";
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

const afterDays = (days: number) => String(toSeconds(w.now() + days * DAY_MS));
const exclude = (until: string, over: Record<string, string> = {}) =>
  mia.call("/member/limits", { exclude_until: until, ...over });
const EXCLUDED = [403, { reason: "member.excluded" }];
const answerTo = async (work: Promise<Reply>) => {
  const { code, data } = await work;
  return code === 200 ? code : [code, data];
};

describe("taking a break", () => {
  it.each([1, 7, 42, 180, 3_650])("can be for %i days", async (days) => {
    const until = afterDays(days);
    expect((await exclude(until)).data).toMatchObject({ exclude_until: Number(until) });
  });

  it.each([-1, 0, 0.5, 43, 100, 179])("cannot be for %d days", async (days) => {
    const before = await traces(w);
    const { code, fields } = await exclude(afterDays(days), { stake_day: "5" });
    expect([code, Object.keys(fields!)]).toEqual([400, ["exclude_until"]]);
    expect(await traces(w)).toEqual(before);
  });

  it("is never shortened, but can grow", async () => {
    await exclude(afterDays(10));
    const before = await traces(w);
    expect(await answerTo(exclude(afterDays(9), { stake_day: "5" }))).toEqual([422, { reason: "limit.shortened" }]);
    expect((await exclude("")).code).toBe(200);
    expect(await traces(w)).toEqual(before);
    for (const days of [11, 42, 180, 400]) expect((await exclude(afterDays(days))).code).toBe(200);
    expect((await exclude(afterDays(200))).code).toBe(422);
    expect((await exclude(afterDays(100))).code).toBe(400);
    w.pass(300 * DAY_MS);
    expect((await readWallet(w.deps.db.read, mia.memberId)).excludedUntil).toBeGreaterThan(w.now());
  });
});

describe("a member on a break", () => {
  it("cannot bet or top up, and the try leaves no trace", async () => {
    await exclude(afterDays(1));
    const before = await traces(w);
    expect(await answerTo(bet(w, mia, 10))).toEqual(EXCLUDED);
    expect(await answerTo(orderTopUp(mia, 10))).toEqual(EXCLUDED);
    expect(await traces(w)).toEqual(before);
  });

  it("is told of the break first, whatever else is wrong with a bet", async () => {
    await exclude(afterDays(1));
    expect(await answerTo(bet(w, mia, 5_000))).toEqual(EXCLUDED);
    w.pass(MINUTE_MS);
    for (const round of ["20260302-0001", "20260302-0002", "20260301-0001"]) {
      const order = { item: "7", money: "1", lid: "lot_1", mid: "", expect: round };
      expect(await answerTo(mia.call("/game/placeOrder", order))).toEqual(EXCLUDED);
    }
  });

  it("is credited a payment that was under way when the break began", async () => {
    const { data } = await orderTopUp(mia, 50);
    await exclude(afterDays(180));
    expect((await notify(w, { order: data.order, money: 50 })).code).toBe(200);
    expect((await readWallet(w.deps.db.read, mia.memberId)).balance).toBe(105_000);
  });

  it("is paid the wins of earlier bets", async () => {
    await bet(w, mia, 100, "A,B");
    await exclude(afterDays(180));
    await w.live(MINUTE_MS);
    expect((await readWallet(w.deps.db.read, mia.memberId)).balance).toBe(80_000 + 19_500);
  });

  it("can bet and top up again from the very moment it ends", async () => {
    await exclude(afterDays(1));
    await w.live(DAY_MS - 1);
    expect(await answerTo(bet(w, mia, 10))).toEqual(EXCLUDED);
    expect(await answerTo(orderTopUp(mia, 10))).toEqual(EXCLUDED);
    w.pass(1);
    expect(await answerTo(bet(w, mia, 10))).toBe(200);
    expect(await answerTo(orderTopUp(mia, 10))).toBe(200);
    expect((await mia.call("/member/limits")).data.exclude_until).toBeNull();
  });

  it("refuses every later bet among many concurrent ones", async () => {
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, () => bet(w, mia, 1)),
      exclude(afterDays(1)),
      ...Array.from({ length: 10 }, () => bet(w, mia, 1)),
    ]);
    const taken = replies.filter(({ code }, i) => code === 200 && i !== 10).length;
    const { balance, version } = await readWallet(w.deps.db.read, mia.memberId);
    expect([balance, version]).toEqual([100_000 - taken * 100, 1 + taken]);
    expect(await answerTo(bet(w, mia, 1))).toEqual(EXCLUDED);
  });
});
