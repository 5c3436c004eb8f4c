import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asc } from "drizzle-orm";
import { wallets } from "#db/schema/ledger.ts";
import { gaps, rounds } from "#db/schema/lottery.ts";
import { deposits } from "#db/schema/payments.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { WalletTotals } from "#server/admin/audit/wallet-totals.ts";
import { DAY_MS, monthOf, weekOf } from "#shared/time.ts";
import { START } from "../../support/world.ts";
import { DAY, open } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

/** A Wednesday in the middle of a month. */
const TODAY = DAY + 9;
const NOW = { day: TODAY, week: weekOf(TODAY * DAY_MS), month: monthOf(TODAY * DAY_MS) };
type Wallet = typeof wallets.$inferInsert;

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(() => rows.begin());
afterEach(() => rows.forget());
afterAll(() => rows.close());

const wallet = (memberId: number, more: Partial<Wallet> = {}) =>
  rows.read.insert(wallets).values({ memberId, ...NOW, ...more });

const counters = (what: string, total: number, day: number, week: number, month: number) => ({
  [`${what}Total`]: total,
  [`${what}Day`]: day,
  [`${what}Week`]: week,
  [`${what}Month`]: month,
});

const order = (createdAt: number, paidAt: number | null, more: Partial<typeof deposits.$inferInsert> = {}) => {
  const text = { orderNo: `${createdAt} ${paidAt} ${more.memberId ?? 1}`, status: "paid", locale: "en_us" } as const;
  const rest = { memberId: 1, channel: "sandbox", amount: 100, expiresAt: 1, ...more };
  return rows.read.insert(deposits).values({ ...text, ...rest, createdAt, paidAt });
};

/** What the audit finds, once rows were counted. */
async function problemsOf(count: (totals: WalletTotals) => void = () => {}): Promise<string[]> {
  const found = new Findings();
  const totals = await WalletTotals.read(rows.read);
  count(totals);
  for (const one of await rows.read.select().from(wallets).orderBy(asc(wallets.memberId))) totals.check(one, found);
  return found.problems;
}

const says = (what: string, is: number, sum: number, memberId = 1) =>
  `wallet of member ${memberId}: ${what} is ${is}, its rows sum to ${sum}`;

describe("the audit of a wallet's totals", () => {
  it("finds nothing in a wallet that nothing has moved", async () => {
    await wallet(1);
    expect(await problemsOf()).toEqual([]);
  });

  it("adds what was staked, won and topped up, each by itself, of each member", async () => {
    const counted = {
      ...counters("staked", 30, 30, 30, 30),
      ...counters("won", 7, 7, 7, 7),
      depositedTotal: 400,
    };
    await wallet(1, counted);
    await wallet(2);
    await wallet(3, counted);
    const count = (totals: WalletTotals) => {
      for (const member of [1, 3, 4]) {
        totals.add(member, "staked", 10, TODAY * DAY_MS);
        totals.add(member, "won", 7, TODAY * DAY_MS);
        totals.add(member, "staked", 20, TODAY * DAY_MS);
        totals.addDeposited(member, 500);
        totals.addDeposited(member, -100);
      }
    };
    expect(await problemsOf(count)).toEqual([]);
    await rows.run("update wallets set staked_total = 31, won_total = 6, deposited_total = 399 where member_id = 3");
    expect(await problemsOf(count)).toEqual([
      says("staked in all", 31, 30, 3),
      says("won in all", 6, 7, 3),
      says("topped up in all", 399, 400, 3),
    ]);
  });

  it("counts what is of the periods that the wallet stands in, or later, and no more", async () => {
    await wallet(1, {
      ...counters("staked", 15, 3, 7, 15),
      ...counters("won", 31, 3, 3, 3),
    });
    const count = (totals: WalletTotals) => {
      for (const [amount, day] of [
        [1, TODAY],
        [2, TODAY + 1],
        [4, TODAY - 1],
        [8, TODAY - 3],
      ] as const)
        totals.add(1, "staked", amount, day * DAY_MS);
      for (const [amount, day] of [
        [28, TODAY - 31],
        [1, TODAY],
        [2, TODAY + 31],
      ] as const)
        totals.add(1, "won", amount, day * DAY_MS);
    };
    expect(await problemsOf(count)).toEqual([]);
    await rows.run(`update wallets set staked_day = 4, staked_week = 6, staked_month = 14,
      won_day = 4, won_week = 2, won_month = 2`);
    expect(await problemsOf(count)).toEqual([
      says("staked of its day", 4, 3),
      says("won of its day", 4, 3),
      says("staked of its week", 6, 7),
      says("won of its week", 2, 3),
      says("staked of its month", 14, 15),
      says("won of its month", 2, 3),
    ]);
  });

  it("counts an order in the periods in which it was made", async () => {
    await wallet(1, { depositedDay: 100, depositedWeek: 200, depositedMonth: 300 });
    const at = TODAY * DAY_MS;
    await order(at - 31 * DAY_MS, null);
    await order(at - 3 * DAY_MS, null);
    await order(at - 1, null);
    await order(at, null);
    await order(at, null, { memberId: 9 });
    await order(at + 1, at + 1, { channel: "operator" });
    expect(await problemsOf()).toEqual([]);
    await rows.run("update wallets set deposited_day = 99, deposited_week = 201, deposited_month = 301");
    expect(await problemsOf()).toEqual([
      says("topped up of its day", 99, 100),
      says("topped up of its week", 201, 200),
      says("topped up of its month", 301, 300),
    ]);
  });

  it("lets one count that was paid in a later period than it was made in, or not", async () => {
    await wallet(1, { depositedMonth: 150 });
    const at = TODAY * DAY_MS;
    await order(at - 9 * DAY_MS, at, { amount: 150 });
    const counted = async (day: number) => {
      await rows.run(`update wallets set deposited_day = ${day}, deposited_week = ${day}`);
      return problemsOf();
    };
    expect(await counted(0)).toEqual([]);
    expect(await counted(150)).toEqual([]);
    expect(await counted(151)).toEqual([says("topped up of its day", 151, 0), says("topped up of its week", 151, 0)]);
    expect(await counted(-1)).toEqual([says("topped up of its day", -1, 0), says("topped up of its week", -1, 0)]);
  });

  const wrongClocks: [string, () => PromiseLike<unknown>][] = [
    ["a gap says so", () => gap({ reason: "clock" })],
    ["a gap was taken back", () => gap({ takenBackAt: 1 })],
    ["a round was skipped", () => rows.read.insert(rounds).values(open(1, { skippedAt: 1 }))],
  ];
  const gap = (more: Partial<typeof gaps.$inferInsert>) => {
    const span = { fromDay: 1, fromNumber: 1, toDay: 1, toNumber: 1 };
    return rows.read.insert(gaps).values({ gameId: 1, ...span, reason: "down", createdAt: START, ...more });
  };
  const more = { stakedDay: 9_000, wonWeek: 9_000, depositedMonth: 9_000 };

  it.each(wrongClocks)("lets a period count more, and never less, where a clock was wrong: %s", async (_, lay) => {
    await wallet(1, { stakedTotal: 5, stakedWeek: 5, stakedMonth: 5, ...more });
    await lay();
    const count = (totals: WalletTotals) => totals.add(1, "staked", 5, TODAY * DAY_MS);
    expect(await problemsOf(count)).toEqual([]);
    await rows.run("update wallets set staked_day = 4, won_week = -1, deposited_month = -1, staked_total = 6");
    expect(await problemsOf(count)).toEqual([
      says("staked in all", 6, 5),
      says("staked of its day", 4, 5),
      says("won of its week", -1, 0),
      says("topped up of its month", -1, 0),
    ]);
  });

  it("lets no period count more where only a server was down", async () => {
    await wallet(1, more);
    await gap({});
    await rows.read.insert(rounds).values(open(1));
    expect(await problemsOf()).toEqual([
      says("staked of its day", 9_000, 0),
      says("won of its week", 9_000, 0),
      says("topped up of its month", 9_000, 0),
    ]);
  });

  it("reads all of more wallets and orders than are read at once", async () => {
    const many = 5_001;
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})`;
    await rows.run(`insert into wallets (member_id, day, week, month, deposited_day, deposited_week, deposited_month)
        ${numbers} select i, ${NOW.day}, ${NOW.week}, ${NOW.month}, 10, 10, 10 from n;
      insert into deposits (id, order_no, member_id, channel, amount, status, locale, created_at, expires_at)
        ${numbers} select i, 'order ' || i, i, 'sandbox', 10, 'failed', 'en_us', ${TODAY * DAY_MS}, 1 from n`);
    expect(await problemsOf()).toEqual([]);
  });
});
