import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditGround, type Ground } from "./audit-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await auditGround();
});
afterAll(() => ground.close());

/** Those of the problems that the audit does not name in a changed copy. */
async function unnamed(sql: string, ...problems: (string | RegExp)[]): Promise<(string | RegExp)[]> {
  const { problems: found } = await ground.after(sql);
  const isNamed = (one: string | RegExp) =>
    typeof one === "string" ? found.includes(one) : found.some((said) => one.test(said));
  return problems.filter((one) => !isNamed(one));
}

const PERIODS = ["day", "week", "month"];
/** More changes of one wallet than the audit reads at once. */
const MANY = 5_100;

describe.concurrent("the audit of a wallet's totals", () => {
  it.each([
    ["staked in all", "staked_total = staked_total / 10"],
    ["won in all", "won_total = won_total + 1"],
    ["topped up in all", "deposited_total = deposited_total - 1"],
    ...PERIODS.flatMap((period) => [
      [`staked of its ${period}`, `staked_${period} = staked_${period} - 1`],
      [`staked of its ${period}`, `staked_${period} = staked_${period} + 1`],
      [`won of its ${period}`, `won_${period} = won_${period} + 1`],
      [`won of its ${period}`, `won_${period} = won_${period} - 1`],
      [`topped up of its ${period}`, `deposited_${period} = deposited_${period} - 1`],
    ]),
  ])("names what was %s, when %s", async (what, change) => {
    const problem = new RegExp(`^wallet of member 1: ${what} is -?\\d+, its rows sum to \\d+$`);
    expect(await unnamed(`update wallets set ${change} where member_id = 1`, problem)).toEqual([]);
  });

  it.each(PERIODS)("names sums that a forged %s leaves out", async (period) => {
    const sums = ["staked", "won", "deposited"].map((what) => `${what}_${period} = 0`).join();
    expect(
      await unnamed(
        `update wallets set ${period} = ${period} - 1, ${sums} where member_id = 1`,
        new RegExp(`^wallet of member 1: staked of its ${period} is 0, its rows sum to \\d+$`),
      ),
    ).toEqual([]);
  });

  it("counts a top-up that lapsed and was paid in the next period in either", async () => {
    const order = (at: string, more: string) => `insert into deposits
      (id, order_no, member_id, channel, amount, status, locale, created_at, expires_at${more && ", paid_at"})
      values (0, 'old', 2, 'sandbox', 700, 'failed', 'en_us', ${at}, 1${more})`;
    const counted = (sum: number) => `update wallets set deposited_day = ${sum} where member_id = 2`;
    const yesterday = "1772409539999";
    const paid = order(yesterday, ", 1772409600000");
    const of = async (sql: string) => (await ground.after(sql)).problems.filter((one) => one.includes("its day"));
    expect(await of(`${paid}; ${counted(700)}`)).toEqual([]);
    expect(await of(paid)).toEqual([]);
    expect(await of(`${paid}; ${counted(701)}`)).toHaveLength(1);
    expect(await of(`${order(yesterday, "")}; ${counted(700)}`)).toHaveLength(1);
    expect(await of(order("1772409600000", ""))).toHaveLength(1);
  });

  it("allows more in a period only where a clock was wrong", async () => {
    const of = async (sql: string) => (await ground.after(sql)).problems.filter((one) => one.includes("its day"));
    const more = "update wallets set staked_day = staked_day + 1 where member_id = 1";
    const gap = (reason: string, back: string) => `insert into gaps
      (game_id, from_day, from_number, to_day, to_number, reason, created_at, taken_back_at)
      values (1, 20000, 1, 20000, 1, '${reason}', 1, ${back})`;
    expect(await of(`${more}; ${gap("down", "null")}`)).toHaveLength(1);
    expect(await of(`${more}; ${gap("clock", "null")}`)).toEqual([]);
    expect(await of(`${more}; ${gap("down", "1")}`)).toEqual([]);
    expect(await of(`${more}; update rounds set skipped_at = 1 where id = 4`)).toEqual([]);
    const less = "update wallets set staked_day = staked_day - 1 where member_id = 1";
    expect(await of(`${less}; ${gap("clock", "null")}`)).toHaveLength(1);
  });

  it("allows more, too, where an order or a commit is dated more than a minute before the one that came before it", async () => {
    const of = async (sql: string) => (await ground.after(sql)).problems.filter((one) => one.includes("its day"));
    const more = "update wallets set staked_day = staked_day + 1 where member_id = 1";
    const TOMORROW = 1_772_496_000_000;
    const order = (at: number) => `insert into deposits
      (order_no, member_id, channel, amount, status, locale, created_at, expires_at)
      values ('o${at}', 2, 'operator', 700, 'failed', 'en_us', ${at}, 1)`;
    const commit = (at: number) =>
      `insert into house_entries (kind, amount, from_id, to_id, created_at) values ('payouts', 0, 1, 1, ${at})`;
    for (const dated of [order, commit]) {
      expect(await of(`${more}; ${dated(TOMORROW)}; ${dated(TOMORROW + 1)}`)).toHaveLength(1);
      expect(await of(`${more}; ${dated(TOMORROW)}; ${dated(TOMORROW - 60_000)}`)).toHaveLength(1);
      expect(await of(`${more}; ${dated(TOMORROW)}; ${dated(TOMORROW - 60_001)}`)).toEqual([]);
    }
  });

  it("counts a stake or a top-up of the minute before a day in either", async () => {
    const of = async (sql: string) => (await ground.after(sql)).problems.filter((one) => one.includes("its day"));
    const [inTime, before] = [1_772_409_540_000, 1_772_409_539_999];
    const bet = (at: number) => `update bets set created_at = ${at} where id = 1`;
    expect(await of(bet(inTime))).toEqual([]);
    expect(await of(bet(before))).toHaveLength(1);
    const order = (at: number, counted: number) => `insert into deposits
      (id, order_no, member_id, channel, amount, status, locale, created_at, expires_at)
      values (0, 'o', 2, 'sandbox', 700, 'failed', 'en_us', ${at}, 1);
      update wallets set deposited_day = ${counted} where member_id = 2`;
    expect(await of(order(inTime, 700))).toEqual([]);
    expect(await of(order(inTime, 0))).toEqual([]);
    expect(await of(order(inTime, 701))).toHaveLength(1);
    expect(await of(order(before, 700))).toHaveLength(1);
  });

  it("names rows of nobody, and who has no wallet", async () => {
    expect(await unnamed("delete from wallets where member_id = 3", /^member 3 has 1 rows and no wallet$/)).toEqual([]);
    expect(await unnamed("delete from wallets where member_id = 3", /^member 3 has no wallet$/)).toEqual([]);
    expect(
      await unnamed("insert into wallets (member_id) values (9)", /^wallet of member 9: there is no such member$/),
    ).toEqual([]);
  });
});

describe.concurrent("the audit of a wallet's rows", () => {
  it.each([
    [
      "a balance",
      "update wallets set balance = balance + 1 where member_id = 1",
      /^wallet of member 1: its rows sum to \d+, the balance is \d+$/,
    ],
    [
      "a version",
      "update wallets set version = version + 1 where member_id = 1",
      /^wallet of member 1: \d+ rows, but version \d+$/,
    ],
    [
      "a balance within",
      "update transfers set balance_after = balance_after + 1 where id = 1",
      /^wallet of member 1: the versions or balances of its rows have a gap$/,
    ],
  ])("names %s that is not theirs", async (_, sql, problem) => {
    expect(await unnamed(sql, problem)).toEqual([]);
  });
});

describe.concurrent("the audit of the money log", () => {
  it.each([
    [
      "a debit that it does not show",
      "delete from journal_index where kind = 'transfer' and member_id = 1 and version = (select version from transfers where code = 'plan')",
      /^money log of member 1: it shows (\d+) changes, the wallet has \d+$/,
    ],
    [
      "a bet that it does not show",
      "delete from journal_index where kind = 'bet' and row_id = 1",
      /^money log of member 1: it shows \d+ changes, the wallet has \d+$/,
    ],
    [
      "a win that it does not show",
      "delete from journal_index where kind = 'payout' and row_id = 1 and member_id = 1",
      /^money log of member 1: it shows \d+ changes, the wallet has \d+$/,
    ],
    [
      "a bet of an open round that it does not show",
      "delete from bet_keys",
      /^money log of member 1: it shows \d+ changes, the wallet has \d+$/,
    ],
    [
      "a change that never was",
      "insert into journal_index (member_id, version, kind, row_id) values (3, 2, 'transfer', 1)",
      /^money log of member 3: change 2 is not that of transfer 1$/,
    ],
    ...["bet", "payout", "transfer"].map((kind): [string, string, RegExp] => [
      `a ${kind} in the place of another`,
      `update journal_index set row_id = row_id + 1 where kind = '${kind}' and member_id = 2
           and version = (select min(version) from journal_index where kind = '${kind}' and member_id = 2)`,
      new RegExp(`^money log of member 2: change \\d+ is not that of ${kind} \\d+$`),
    ]),
    [
      "somebody else's row",
      `update journal_index set member_id = 3, version = 9 where member_id = 2 and kind = 'payout' and row_id = 1`,
      /^money log of member 3: change 9 is not that of payout 1$/,
    ],
  ])("names %s", async (_, sql, problem) => {
    expect(await unnamed(sql, problem)).toEqual([]);
  });

  it("is read to its end, however long it is", async () => {
    const sql = `insert into transfers (code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
        with recursive n (i) as (select 2 union all select i + 1 from n where i < ${MANY})
        select 'credit', 'many:' || i, 'house:operator', 'member:3', 1, 3, i, 5999 + i, 1772409900000 from n;
      insert into journal_index (member_id, version, kind, row_id)
        select 3, version, 'transfer', id from transfers where cause like 'many:%';
      update wallets set version = ${MANY}, balance = 5999 + ${MANY} where member_id = 3`;
    const saysOf = async (change: string) =>
      (await ground.after(`${sql}; ${change}`)).problems.filter((one) => one.startsWith("money log"));
    expect(await saysOf("select 1")).toEqual([]);
    expect(await saysOf(`update journal_index set row_id = 1 where member_id = 3 and version = ${MANY}`)).toEqual([
      `money log of member 3: change ${MANY} is not that of transfer 1`,
      `money log of member 3: it shows ${MANY - 1} changes, the wallet has ${MANY}`,
    ]);
  });

  it("asks of a payout whose round is not indexed only that it is there", async () => {
    const sql = `update rounds set indexed_at = null where id = 3;
      delete from journal_index where kind = 'payout' and row_id = 3`;
    expect((await ground.after(sql)).problems).toEqual([]);
    expect((await ground.after("update rounds set indexed_at = null where id = 3")).problems).toEqual([]);
  });
});

describe.concurrent("the audit of what members see counted", () => {
  it.each([
    [
      "comments",
      "update listings set comment_count = comment_count + 1 where id = 1",
      "listing 1: its counters of comments, hearts and their mean are 3,9,450, the comments give 2,9,450",
    ],
    [
      "hearts",
      "update listings set hearts_sum = 10 where id = 1",
      "listing 1: its counters of comments, hearts and their mean are 2,10,450, the comments give 2,9,450",
    ],
    [
      "their mean",
      "update listings set hearts_mean = 500 where id = 1",
      "listing 1: its counters of comments, hearts and their mean are 2,9,500, the comments give 2,9,450",
    ],
    [
      "comments of a listing that has none",
      "update listings set comment_count = 1 where id = 2",
      "listing 2: its counters of comments, hearts and their mean are 1,0,0, the comments give 0,0,0",
    ],
    ["plays", "update videos set plays = 1", "video 1: its play counter is 1, the log states 0, and 2 came since"],
  ])("names false %s", async (_, sql, problem) => {
    const { problems } = await ground.after(sql);
    expect(problems).toEqual([problem]);
  });

  it("takes plays for true that are forgotten", async () => {
    expect((await ground.after("delete from video_plays")).problems).toEqual([]);
  });
});
