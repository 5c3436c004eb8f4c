import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { betKeys, bets, payouts } from "#db/schema/bets.ts";
import { journalIndex, transfers, wallets } from "#db/schema/ledger.ts";
import { rounds } from "#db/schema/lottery.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { auditJournal } from "#server/admin/audit/journal.ts";
import { open } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(() => rows.begin());
afterEach(() => rows.forget());
afterAll(() => rows.close());

async function problems(): Promise<string[]> {
  const found = new Findings();
  await auditJournal(rows.read, found);
  return found.problems;
}

const wallet = (memberId: number, version: number) => rows.read.insert(wallets).values({ memberId, version });
const shown = (memberId: number, version: number, kind: "bet" | "payout" | "transfer", rowId: number) =>
  rows.read.insert(journalIndex).values({ memberId, version, kind, rowId });
const bet = (id: number, memberId: number, version: number) => {
  const money = { stake: 10, total: 10, balanceAfter: 0 };
  return rows.read
    .insert(bets)
    .values({ id, memberId, version, ...money, roundId: 1, oddsId: 1, mask: 1n, createdAt: 1 });
};
const key = (memberId: number, betId: number) =>
  rows.read.insert(betKeys).values({ memberId, betId, key: `key ${betId}`, requestHash: "" });
const payout = (roundId: number, memberId: number, version: number) =>
  rows.read.insert(payouts).values({ roundId, memberId, version, amount: 1, balanceAfter: 1, createdAt: 1 });
const transfer = (id: number, memberId: number, version: number) => {
  const of = { code: "credit", debit: "house:operator", credit: "", amount: 1, createdAt: 1 };
  return rows.read.insert(transfers).values({ id, memberId, version, balanceAfter: 1, cause: `cause ${id}`, ...of });
};

const shows = (memberId: number, count: number, version: number) =>
  `money log of member ${memberId}: it shows ${count} changes, the wallet has ${version}`;
const isNot = (memberId: number, version: number, what: string) =>
  `money log of member ${memberId}: change ${version} is not that of ${what}`;

/** Two members with one row of each kind, whose numbers are the same in each table. Round 7 is indexed, round 8 is not. */
async function layJournal(): Promise<void> {
  await rows.read.insert(rounds).values([open(7, { indexedAt: 1 }), open(8)]);
  for (const memberId of [1, 2]) {
    const number = 6 + memberId;
    await transfer(number, memberId, 1);
    await shown(memberId, 1, "transfer", number);
    await bet(number, memberId, 2);
    await shown(memberId, 2, "bet", number);
    await payout(7, memberId, 3);
    await shown(memberId, 3, "payout", 7);
    await wallet(memberId, 3);
  }
}

describe("the audit of the money log", () => {
  beforeEach(layJournal);

  it("finds nothing where every change of a wallet is shown once", async () => {
    await wallet(3, 0);
    expect(await problems()).toEqual([]);
  });

  it("counts bets that are not indexed yet, once", async () => {
    await key(1, 7);
    expect(await problems()).toEqual([]);
    await rows.run("delete from journal_index where kind = 'bet' and member_id = 1");
    expect(await problems()).toEqual([]);
    await rows.run("delete from journal_index where kind = 'bet'");
    expect(await problems()).toEqual([shows(2, 2, 3)]);
    await key(2, 8);
    expect(await problems()).toEqual([]);
  });

  it("counts payouts of a round that is not indexed yet, once, and those of no other", async () => {
    await payout(8, 2, 4);
    await rows.run("update wallets set version = 4 where member_id = 2");
    expect(await problems()).toEqual([]);
    await shown(2, 4, "payout", 8);
    expect(await problems()).toEqual([]);
    await rows.run("delete from journal_index where kind = 'payout' and row_id = 7");
    expect(await problems()).toEqual([shows(1, 2, 3), shows(2, 3, 4)]);
  });

  it("names who is shown fewer changes than the wallet has, or more", async () => {
    await rows.run(
      "update wallets set version = 4 where member_id = 1; update wallets set version = 2 where member_id = 2",
    );
    await wallet(3, 1);
    expect(await problems()).toEqual([shows(1, 3, 4), shows(2, 3, 2), shows(3, 0, 1)]);
  });

  it.each<["bet" | "payout" | "transfer", number, string[]]>([
    ["transfer", 8, [isNot(1, 1, "transfer 8")]],
    ["bet", 8, [isNot(1, 2, "bet 8")]],
    ["payout", 8, [isNot(1, 3, "payout 8")]],
    ["transfer", 99, [isNot(1, 1, "transfer 99")]],
    ["bet", 99, [isNot(1, 2, "bet 99")]],
    ["payout", 99, [isNot(1, 3, "payout 99")]],
  ])("names a %s that is shown by the number %i of another one, or of none", async (kind, number, says) => {
    await rows.run(`update journal_index set row_id = ${number} where kind = '${kind}' and member_id = 1`);
    expect(await problems()).toEqual([...says, shows(1, 2, 3)]);
  });

  it.each(["transfer", "bet", "payout"])("names a %s that is shown as another change than it was", async (kind) => {
    await rows.run(`update journal_index set version = 9 where kind = '${kind}' and member_id = 1`);
    expect(await problems()).toEqual([isNot(1, 9, `${kind} 7`), shows(1, 2, 3)]);
  });

  it("names changes in the order of members and of their versions", async () => {
    await rows.run("update journal_index set row_id = 90 where kind <> 'payout'");
    expect(await problems()).toEqual([
      isNot(1, 1, "transfer 90"),
      isNot(1, 2, "bet 90"),
      isNot(2, 1, "transfer 90"),
      isNot(2, 2, "bet 90"),
      shows(1, 1, 3),
      shows(2, 1, 3),
    ]);
  });
});

describe("the audit of a long money log", () => {
  /** More rows than are read at once. */
  const MANY = 5_001;
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MANY})`;
  const transfersOf = (member: string, version: string) => `
    insert into transfers (id, code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
      ${numbers} select i, 'credit', i || '', '', '', 1, ${member}, ${version}, 1, 1 from n;
    insert into journal_index (member_id, version, kind, row_id) ${numbers} select ${member}, ${version}, 'transfer', i from n;`;

  it("reads every change of one member", async () => {
    await rows.run(transfersOf("1", "i"));
    await wallet(1, MANY);
    expect(await problems()).toEqual([]);
  });

  it("reads every member", async () => {
    await rows.run(`${transfersOf("i", "1")} insert into wallets (member_id, version) ${numbers} select i, 1 from n`);
    expect(await problems()).toEqual([]);
    await rows.run(`update wallets set version = 2 where member_id in (1, ${MANY - 1}, ${MANY})`);
    expect(await problems()).toEqual([shows(1, 1, 2), shows(MANY - 1, 1, 2), shows(MANY, 1, 2)]);
  });
});
