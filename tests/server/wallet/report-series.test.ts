import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withdrawals } from "#db/schema/payments.ts";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { fromDecimal } from "#shared/money.ts";
import { periodStarts, type Period } from "#shared/period.ts";
import { DAY_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { settleInSteps } from "../../support/settling.ts";
import { topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 100_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

interface Row {
  from: number;
  play_money: string;
  recharge: string;
  withdrawal: string;
  win_money: string;
}
const FIGURES = ["play_money", "recharge", "withdrawal", "win_money"] as const;

const ask = (by: string, player = mia) => player.call("/member/reportSeries", { by }, { method: "GET" });
const series = async (by: Period, player = mia): Promise<Row[]> => (await ask(by, player)).data;
const report = async () => (await mia.call("/member/getPersonalreport")).data;
const totals = (rows: Row[]) =>
  Object.fromEntries(FIGURES.map((name) => [name, rows.reduce((sum, row) => sum + fromDecimal(row[name]), 0)]));
const inHundredths = (figures: Omit<Row, "from">) =>
  Object.fromEntries(FIGURES.map((name) => [name, fromDecimal(figures[name])]));
const last = async (by: Period = "day") => (await series(by)).at(-1)!;
const NOTHING = { play_money: "0.00", recharge: "0.00", withdrawal: "0.00", win_money: "0.00" };

/** Bets on everything that is even or odd in the running round, and lets it be drawn and paid. */
async function playRound(money = 10): Promise<void> {
  await bet(w, mia, money, "C,D");
  await w.live(MINUTE_MS);
  await w.live(1_000);
}

/** So many days later, mia logs in again. */
async function later(days: number): Promise<void> {
  w.pass(days * DAY_MS);
  const who = { ip: "127.0.0.1", agent: "test" };
  const token = await w.deps.db.transact((tx) => openSession(tx, w.deps, mia.memberId, who));
  mia = { ...mia, token, call: (path, input, options) => w.call(path, input, { token, ...options }) };
}

describe("a member's figures by day, week and month", () => {
  it("cover thirty days, twelve weeks and twelve months up to now, with zeros for empty ones", async () => {
    for (const [by, count] of [
      ["day", 30],
      ["week", 12],
      ["month", 12],
    ] as const) {
      const rows = await series(by);
      expect(rows.map(({ from }) => from)).toEqual(periodStarts(by, w.now()).map(toSeconds));
      expect(rows).toHaveLength(count);
      for (const { from: _from, ...figures } of rows) expect(figures).toEqual(NOTHING);
      expect(rows.at(-1)!.from * 1_000).toBeLessThanOrEqual(w.now());
    }
  });

  it("add up to the report, however the days go by", async () => {
    for (const days of [0, 1, 1, 5, 6]) {
      w.pass(days * DAY_MS);
      await w.live(1_000);
      await playRound(10 + days);
      await topUp(w, mia, 5 + days);
    }
    await bet(w, mia, 3);
    const { play_money, ...whole } = await report();
    expect(fromDecimal(play_money)).toBe(2 * 6_300);
    for (const by of ["day", "week", "month"] as const) {
      expect(totals(await series(by))).toEqual(inHundredths({ play_money, ...whole }));
    }
    const paid = (await series("day")).map(({ recharge }) => recharge).filter((recharge) => recharge !== "0.00");
    expect(paid).toEqual(["5.00", "6.00", "6.00", "10.00", "11.00"]);
  });

  it("drop what is older than they reach", async () => {
    await topUp(w, mia, 50);
    await playRound();
    await later(30);
    expect(totals(await series("day"))).toEqual(inHundredths(NOTHING));
    expect(totals(await series("week"))).toEqual(inHundredths(await report()));
    await later(370);
    expect(totals(await series("month"))).toEqual(inHundredths(NOTHING));
  });
});

describe("what counts", () => {
  it("is a stake once its round is settled, on the day of the round, also when the win comes after midnight", async () => {
    w.pass(DAY_MS - (w.now() % DAY_MS) - 30_000);
    await w.live(0);
    const before = (await last()).from;
    expect((await bet(w, mia, 10, "A,B")).code).toBe(200);
    expect((await last()).play_money).toBe("0.00");
    await w.live(31_000);
    await w.live(1_000);
    const rows = await series("day");
    expect(rows.at(-2)).toMatchObject({ from: before, play_money: "20.00", win_money: "19.50" });
    expect(rows.at(-1)).toMatchObject(NOTHING);
  });

  it("is the same before, while and after a round is settled and indexed", async () => {
    await playRound(30);
    await bet(w, mia, 10, "A,B");
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    await bet(w, mia, 5);
    for await (const _piece of settleInSteps(w, 2)) {
      expect(totals(await series("day"))).toEqual(inHundredths(await report()));
    }
    await w.settle();
    expect(totals(await series("day"))).toEqual(inHundredths(await report()));
    expect((await report()).play_money).toBe("80.00");
  });

  it("is a top-up, also by the operator, but no other credit; a reversed one is gone from its own day", async () => {
    const { db } = w.deps;
    await db.transact((tx) => creditMember(tx, w.deps, mia.memberId, 900, "sorry"));
    const credit = { memberId: mia.memberId, amount: 4_000, reason: "at the bank" };
    const { transferId } = await db.transact((tx) => creditDeposit(tx, w.deps, credit));
    await topUp(w, mia, 7);
    expect(await last()).toMatchObject({ ...NOTHING, recharge: "47.00" });
    w.pass(DAY_MS);
    await db.transact((tx) => reverseCredit(tx, w.deps, transferId, "another's"));
    const rows = await series("day");
    expect(rows.slice(-2).map(({ recharge }) => recharge)).toEqual(["7.00", "0.00"]);
    expect(totals(rows)).toEqual(inHundredths(await report()));
  });

  it("is a withdrawal on the day that it was paid, and none that is still under way", async () => {
    const base = { memberId: mia.memberId, amount: 10_000, day: 0, createdAt: w.now() - 3 * DAY_MS };
    await w.deps.db.transact(async (tx) => {
      await tx.insert(withdrawals).values({ ...base, status: "paid", updatedAt: w.now() - DAY_MS });
      await tx.insert(withdrawals).values({ ...base, status: "approved", updatedAt: w.now() });
    });
    const rows = await series("day");
    expect(rows.slice(-3).map(({ withdrawal }) => withdrawal)).toEqual(["0.00", "100.00", "0.00"]);
  });

  it("is each member's own", async () => {
    const leo = await w.player("leo_1", { balance: 100 });
    await playRound();
    await topUp(w, mia, 50);
    expect(totals(await series("month", leo))).toEqual(inHundredths(NOTHING));
  });
});

describe("a request for figures", () => {
  it("of many rows gives the same when repeated, and from a new server", async () => {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 40; i++) await bet(w, mia, 1, "7");
      await w.live(MINUTE_MS);
      await w.live(1_000);
    }
    const first = await series("week");
    expect(totals(first)).toEqual(inHundredths(await report()));
    await topUp(w, mia, 9);
    const second = await Promise.all(Array.from({ length: 5 }, () => series("week")));
    for (const rows of second) expect(totals(rows)).toEqual(inHundredths(await report()));
    await w.restart();
    expect(await series("week")).toEqual(second[0]);
  });

  it("must name its period", async () => {
    for (const by of ["", "year", "Day", "days"]) {
      expect(await ask(by)).toMatchObject({ code: 400, data: { fields: { by: expect.any(String) as string } } });
    }
    expect((await mia.call("/member/reportSeries")).code).toBe(400);
  });
});
