import { afterEach, describe, expect, it } from "vitest";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import type { LimitField } from "#shared/contract/wallet.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { bet, drawWithoutSettling, traces } from "../../support/ledger.ts";
import { byLength } from "../../support/length.ts";
import { notify, orderTopUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";

/** A minute before midnight, by the period that ends then. In 2026, the 2nd of March is a Monday. */
const EVE = {
  day: Date.UTC(2026, 2, 3, 23, 59),
  week: Date.UTC(2026, 2, 8, 23, 59),
  month: Date.UTC(2026, 2, 31, 23, 59),
};
type Period = keyof typeof EVE;
const PERIODS = Object.keys(EVE) as Period[];
type Kind = "stake" | "loss" | "recharge";
const KINDS: Kind[] = ["stake", "loss", "recharge"];
const EVERY = KINDS.flatMap((kind) => PERIODS.map((period) => [kind, period] as const));
/** In a short run each kind has one period, and each period one kind. */
const TRIED = byLength(
  EVERY.filter(([kind, period]) => KINDS.indexOf(kind) === PERIODS.indexOf(period)),
  EVERY,
);

let w: World;
let mia: Player;

async function open(now: number): Promise<void> {
  w = await world({ now });
  await w.game();
  mia = await w.player("mia_1", { balance: 10_000 });
  await w.live(1_000);
}
afterEach(() => w.close());

const limit = (name: string, value: number) => mia.call("/member/limits", { [name]: String(value) });
const leftOf = async (name: LimitField) => (await mia.call("/member/limits")).data.left[name];
const spend = (kind: Kind, money: number) => (kind === "recharge" ? orderTopUp(mia, money) : bet(w, mia, money));
const LIMITED = [422, expect.objectContaining({ reason: "limit.reached" })];

/** The outcome of spending. A refusal must leave no trace. */
async function outcome(kind: Kind, money: number) {
  const before = await traces(w);
  const { code, data } = await spend(kind, money);
  if (code === 200) return "done";
  expect([code, data]).toEqual(LIMITED);
  expect(await traces(w)).toEqual(before);
  return "refused";
}

describe("a member's own limit", () => {
  it.each(TRIED)("on the %s of a %s holds to the very unit until that ends, and says it", async (kind, period) => {
    await open(EVE[period]);
    const name = `${kind}_${period}` as const;
    expect((await limit(name, 100)).code).toBe(200);
    expect(await leftOf(name)).toBe("100.00");
    expect(await outcome(kind, 101)).toBe("refused");
    expect(await outcome(kind, 60)).toBe("done");
    expect(await leftOf(name)).toBe("40.00");
    expect(await outcome(kind, 41)).toBe("refused");
    expect(await outcome(kind, 40)).toBe("done");
    expect(await leftOf(name)).toBe("0.00");
    expect(await outcome(kind, 1)).toBe("refused");
    w.pass(MINUTE_MS - 1_001 - (kind === "recharge" ? 0 : 3_000));
    expect(await outcome(kind, 1)).toBe("refused");
    w.pass(1 + (kind === "recharge" ? 0 : 3_000));
    await w.live(0);
    expect(await leftOf(name)).toBe("100.00");
    expect(await outcome(kind, 101)).toBe("refused");
    expect(await outcome(kind, 100)).toBe("done");
    expect(await outcome(kind, 1)).toBe("refused");
  });

  it.each(["stake", "recharge"] as const)(
    "on the %s of a week outlasts its days, of a month its weeks",
    async (kind) => {
      await open(EVE.day);
      await limit(`${kind}_week`, 100);
      await limit(`${kind}_month`, 150);
      expect(await outcome(kind, 100)).toBe("done");
      await w.live(MINUTE_MS);
      expect(await outcome(kind, 1)).toBe("refused");
      await w.live(EVE.week - w.now());
      expect(await outcome(kind, 1)).toBe("refused");
      await w.live(MINUTE_MS);
      expect(await outcome(kind, 51)).toBe("refused");
      expect(await outcome(kind, 50)).toBe("done");
    },
  );

  it("counts every option of a bet", async () => {
    await open(EVE.day);
    await limit("stake_day", 100);
    expect((await bet(w, mia, 34, "A,7,18")).data).toMatchObject({ reason: "limit.reached" });
    expect((await bet(w, mia, 33, "A,7,18")).code).toBe(200);
  });

  it("accepts exactly ten of thirty concurrent bets", async () => {
    await open(EVE.day);
    await limit("stake_day", 100);
    const replies = await Promise.all(Array.from({ length: 30 }, () => bet(w, mia, 10)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(10);
    expect(replies.filter(({ reason }) => reason === "limit.reached")).toHaveLength(20);
    const wallet = await readWallet(w.deps.db.read, mia.memberId);
    expect(wallet).toMatchObject({ balance: 990_000, stakedDay: 10_000, stakedTotal: 10_000 });
  });

  it("accepts exactly three of thirty concurrent top-ups", async () => {
    await open(EVE.day);
    await limit("recharge_day", 30);
    const replies = await Promise.all(Array.from({ length: 30 }, () => orderTopUp(mia, 10)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(3);
    expect((await traces(w)).deposits).toHaveLength(3);
  });

  it("leaves nothing once it is lowered below what it counts", async () => {
    await open(EVE.day);
    await limit("stake_day", 100);
    expect(await outcome("stake", 60)).toBe("done");
    await limit("stake_day", 50);
    expect(await leftOf("stake_day")).toBe("0.00");
    expect(await outcome("stake", 1)).toBe("refused");
  });

  it("refuses for a short balance before it refuses for a limit", async () => {
    await open(EVE.day);
    await limit("stake_day", 100);
    expect((await bet(w, mia, 10_001)).data).toMatchObject({ reason: "balance.insufficient" });
  });
});

describe("a limit on top-ups", () => {
  it("counts an order when it is made, whether or not it is paid", async () => {
    await open(EVE.day);
    await limit("recharge_day", 100);
    const { data } = await orderTopUp(mia, 100);
    await notify(w, { order: data.order, money: 100, status: "failed" });
    expect(await outcome("recharge", 1)).toBe("refused");
  });

  it("does not count the payment again, on any day", async () => {
    await open(EVE.day);
    await limit("recharge_day", 100);
    const { data } = await orderTopUp(mia, 100);
    await w.live(MINUTE_MS);
    expect((await notify(w, { order: data.order, money: 100 })).code).toBe(200);
    expect(await outcome("recharge", 100)).toBe("done");
  });
});

describe("a loss limit", () => {
  /** Big and small with 50 each: one of them pays 97.50, whatever is drawn. */
  const hedge = () => bet(w, mia, 50, "A,B");

  it("has room again for wins of the same day", async () => {
    await open(EVE.day - 10 * MINUTE_MS);
    await limit("loss_day", 100);
    await hedge();
    expect(await leftOf("loss_day")).toBe("0.00");
    expect(await outcome("loss", 1)).toBe("refused");
    await w.live(MINUTE_MS);
    expect(await leftOf("loss_day")).toBe("97.50");
    expect(await outcome("loss", 98)).toBe("refused");
    expect(await outcome("loss", 97)).toBe("done");
    expect(await outcome("loss", 1)).toBe("refused");
  });

  it("has no room today for wins on yesterday's round, but has room this week", async () => {
    await open(EVE.day);
    await limit("loss_day", 100);
    await limit("loss_week", 103);
    await hedge();
    await w.live(MINUTE_MS);
    // The week has lost 2.50, today nothing.
    expect(await outcome("loss", 101)).toBe("refused");
    await hedge();
    expect(await outcome("loss", 1)).toBe("refused");
    await w.live(DAY_MS);
    // The week has lost 5.00.
    expect(await outcome("loss", 99)).toBe("refused");
    expect(await outcome("loss", 98)).toBe("done");
  });

  it("has no room either when yesterday's round is settled after today's first bet", async () => {
    await open(EVE.day);
    await limit("loss_day", 100);
    await hedge();
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    expect(await outcome("loss", 60)).toBe("done");
    // As another process would that finds the round unsettled.
    await w.live(1_000);
    const { wonDay, wonWeek, wonTotal } = await readWallet(w.deps.db.read, mia.memberId);
    expect([wonDay, wonWeek, wonTotal]).toEqual([0, 9_750, 9_750]);
    expect(await outcome("loss", 41)).toBe("refused");
    expect(await outcome("loss", 40)).toBe("done");
  });
});
