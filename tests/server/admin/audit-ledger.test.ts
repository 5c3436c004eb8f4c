import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bets, payouts } from "#db/schema/bets.ts";
import { houseEntries, transfers, wallets } from "#db/schema/ledger.ts";
import { rounds } from "#db/schema/lottery.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { auditLedger } from "#server/admin/audit/ledger.ts";
import { DAY_MS, monthOf, weekOf } from "#shared/time.ts";
import { START } from "../../support/world.ts";
import { DAY, open } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

const NOW = { day: DAY, week: weekOf(START), month: monthOf(START) };
/** Of an earlier month. */
const LONG_AGO = START - 60 * DAY_MS;

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(() => rows.begin());
afterEach(() => rows.forget());
afterAll(() => rows.close());

async function audited() {
  const found = new Findings();
  const counts = await auditLedger(rows.read, found);
  return { ...counts, problems: found.problems };
}

const problems = async () => (await audited()).problems;

type Moved = Partial<typeof transfers.$inferInsert> & { amount: number };
const move = (id: number, code: string, debit: string, credit: string, moved: Moved) =>
  rows.read.insert(transfers).values({ id, code, cause: `move ${id}`, debit, credit, createdAt: START, ...moved });

const bet = (id: number, memberId: number, version: number, stake: number, mask: bigint, balanceAfter: number) => {
  const total = stake * (mask === 3n ? 2 : 1);
  const of = { roundId: 1, oddsId: 1, createdAt: START };
  return rows.read.insert(bets).values({ id, memberId, version, stake, mask, total, balanceAfter, ...of });
};

const entry = (id: number, kind: "bets" | "payouts", amount: number, fromId: number, toId: number) =>
  rows.read.insert(houseEntries).values({ id, kind, amount, fromId, toId, createdAt: START });

const sums = (what: string, period: number, total = period) => ({
  [`${what}Day`]: period,
  [`${what}Week`]: period,
  [`${what}Month`]: period,
  [`${what}Total`]: total,
});

/**
 * Of member 1 every kind of row, some of them from long ago. Member 2 has one bet. What the house has moved within itself
 * changes no wallet.
 */
async function layLedger(): Promise<void> {
  await rows.read.insert(rounds).values([open(1), open(2, { day: DAY - 60 })]);
  const [mia, operator] = ["member:1", "house:operator"];
  const of = (version: number, amount: number, balanceAfter: number) => {
    return { memberId: 1, version, amount, balanceAfter };
  };
  await move(1, "deposit", operator, mia, of(1, 1_000, 1_000));
  await move(2, "spin", mia, "house:wheel", of(2, 30, 970));
  await move(3, "prize", "house:wheel", mia, of(3, 50, 1_020));
  await move(4, "spin", mia, "house:wheel", { ...of(4, 7, 1_013), createdAt: LONG_AGO });
  await move(5, "prize", "house:wheel", mia, { ...of(5, 9, 1_022), createdAt: LONG_AGO });
  await move(6, "credit", operator, mia, of(6, 100, 1_122));
  await move(7, "reversal", mia, operator, { cause: "trf_1", ...of(7, 1_000, 122) });
  await move(8, "reversal", mia, operator, { cause: "trf_6", ...of(8, 100, 22) });
  await move(9, "deposit", "house:sandbox", mia, of(9, 400, 422));
  await move(10, "reversal", mia, operator, { cause: "trf_9", ...of(10, 40, 382) });
  await move(11, "withdraw", mia, "held:withdrawals", of(11, 82, 300));
  await move(12, "fee", "held:withdrawals", "house:bank", { amount: 82 });
  await bet(1, 1, 12, 20, 1n, 280);
  await bet(2, 2, 1, 10, 3n, -20);
  await bet(3, 1, 13, 30, 3n, 220);
  await rows.read.insert(payouts).values([
    { roundId: 1, memberId: 1, amount: 70, version: 14, balanceAfter: 290, createdAt: START },
    { roundId: 2, memberId: 1, amount: 5, version: 15, balanceAfter: 295, createdAt: START },
  ]);
  await entry(1, "bets", 40, 1, 2);
  await entry(2, "bets", 60, 3, 3);
  await entry(3, "payouts", -75, 1, 1);
  const counted = { ...sums("staked", 110, 117), ...sums("won", 120, 134), depositedTotal: 400 };
  await rows.read.insert(wallets).values([
    { memberId: 1, balance: 295, version: 15, ...NOW, ...counted },
    { memberId: 2, balance: -20, version: 1, ...NOW, ...sums("staked", 20) },
  ]);
}

describe("the audit of the ledger", () => {
  beforeEach(layLedger);

  it("finds nothing where everything follows from the rows, and counts them", async () => {
    expect(await audited()).toEqual({ members: 2, transfers: 12, orders: 3, ledgerSum: 0, problems: [] });
  });

  it("finds nothing where nobody is", async () => {
    for (const table of ["wallets", "transfers", "bets", "payouts", "house_entries"])
      await rows.run(`delete from ${table}`);
    expect(await audited()).toEqual({ members: 0, transfers: 0, orders: 0, ledgerSum: 0, problems: [] });
  });

  it("names house entries that are not the sum of all bets, or of all payouts", async () => {
    await rows.run("update house_entries set amount = amount + 1");
    expect(await problems()).toEqual([
      "house entry 1 is 41, its bets 1 to 2 are 40",
      "house entry 2 is 61, its bets 3 to 3 are 60",
      "house entries of bets: 102, bets: 100",
      "house entries of payouts: -74, payouts: 75",
      "all accounts together are 3, not 0",
    ]);
  });

  it("names wallets by the order of their members, and what all accounts come to", async () => {
    await rows.run("update wallets set balance = balance + member_id");
    expect(await audited()).toMatchObject({
      ledgerSum: 3,
      problems: [
        "wallet of member 1: its rows sum to 295, the balance is 296",
        "wallet of member 1: the versions or balances of its rows have a gap",
        "wallet of member 2: its rows sum to -20, the balance is -18",
        "wallet of member 2: the versions or balances of its rows have a gap",
        "all accounts together are 3, not 0",
      ],
    });
  });

  it("names the rows of who has no wallet", async () => {
    await rows.run("delete from wallets where member_id = 2");
    expect(await problems()).toEqual(["member 2 has 1 rows and no wallet", "all accounts together are 20, not 0"]);
  });

  it("names a bet whose total is not its stakes, or that is on nothing", async () => {
    const says = (id: number) => `bet ${id}: total is not stake times options`;
    await rows.run("update bets set stake = stake + 1");
    expect(await problems()).toEqual([1, 2, 3].map(says));
    await rows.run(`update bets set stake = stake - 1; update bets set mask = 0, total = 0 where id = 2;
      update house_entries set amount = amount - 20 where id = 1`);
    expect(await problems()).toEqual(
      expect.arrayContaining([says(2), "wallet of member 2: its rows sum to 0, the balance is -20"]),
    );
  });

  it("names a bet that is in no house entry", async () => {
    await rows.run("update house_entries set to_id = 1 where id = 1");
    expect(await problems()).toEqual(["house entry 1 is 40, its bets 1 to 1 are 20", "bet 2 is in no house entry"]);
  });

  it("names a payout of a round that there is not", async () => {
    await rows.run("update payouts set round_id = 9 where round_id = 2");
    expect(await problems()).toEqual([
      "member 1 was paid in round 9, and there is no such round",
      "wallet of member 1: won in all is 134, its rows sum to 129",
    ]);
    await rows.run(
      "insert into payouts select 8, 2, 0, version, balance_after, created_at from payouts where round_id = 9",
    );
    await rows.run(
      "insert into payouts select 8, 1, 0, version, balance_after, created_at from payouts where round_id = 9",
    );
    expect((await problems()).slice(0, 3)).toEqual(
      [
        ["1", "8"],
        ["2", "8"],
        ["1", "9"],
      ].map(([member, round]) => `member ${member} was paid in round ${round}, and there is no such round`),
    );
  });

  it("counts what an operator topped up and took back, and no other reversal", async () => {
    const topped = (sum: number) => [`wallet of member 1: topped up in all is 400, its rows sum to ${sum}`];
    await rows.run("update transfers set cause = 'trf_8' where cause = 'trf_1'");
    expect(await problems()).toEqual(topped(1_400));
    await rows.run("update transfers set debit = 'house:operator' where id = 9");
    expect(await problems()).toEqual(topped(1_360));
    await rows.run("update transfers set code = 'other' where cause = 'trf_9'");
    expect(await problems()).toEqual(topped(1_400));
  });

  it("takes money that comes from nowhere for what the house lost", async () => {
    await rows.run("update transfers set debit = 'member:9' where id = 6");
    expect(await problems()).toEqual(["all accounts together are 100, not 0"]);
    await rows.run("update transfers set credit = 'member:9' where code = 'fee'");
    expect(await problems()).toEqual(["all accounts together are 18, not 0"]);
  });
});

describe("the audit of a long ledger", () => {
  /** More rows than are read at once. */
  const MANY = 5_001;
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MANY})`;

  it("reads every row", async () => {
    const { openedAt } = open(1);
    await rows.read.insert(rounds).values(open(1));
    await rows.run(`
      insert into transfers (id, code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
        ${numbers} select i, 'credit', i || '', 'house:operator', 'member:' || i, 100, i, 1, 100, ${openedAt} from n;
      insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
        ${numbers} select i, i, 1, 1, 1, 10, 10, 2, 90, ${openedAt} from n;
      insert into payouts (round_id, member_id, amount, version, balance_after, created_at)
        ${numbers} select 1, i, 20, 3, 110, ${openedAt} from n;
      insert into house_entries (id, kind, amount, from_id, to_id, created_at)
        ${numbers} select i, case when i % 2 = 1 then 'bets' else 'payouts' end,
          case when i % 2 = 1 then 20 else -40 end, i, i + 1, ${openedAt} from n;
      update house_entries set amount = 10 where id = ${MANY};
      insert into house_entries (id, kind, amount, from_id, to_id, created_at)
        values (${MANY + 1}, 'payouts', -20, 1, 1, ${openedAt});
      insert into wallets (member_id, balance, version, staked_total, won_total, day, week, month)
        ${numbers} select i, 110, 3, 10, 20, ${DAY + 99}, ${NOW.week + 99}, ${NOW.month + 99} from n`);
    expect(await audited()).toEqual({ members: MANY, transfers: MANY, orders: MANY, ledgerSum: 0, problems: [] });
  });
});
