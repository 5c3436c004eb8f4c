import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditSealReach } from "#server/admin/audit/seal-reach.ts";
import { auditSeals } from "#server/admin/audit/seals.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { Copies } from "../../support/copies.ts";
import { databaseIn } from "../../support/databases.ts";
import { bet, move } from "../../support/ledger.ts";
import { withConnection } from "../../support/own-connection.ts";
import { START, world, type World } from "../../support/world.ts";
import { partly } from "./audit-one-part.ts";
import { operate } from "./operate.ts";

let w: World;
let copies: Copies;

/**
 * Four seals. The first covers transfers 1 and 2, bets of one round and act 1; the second what that round paid two members,
 * and bets of the next one; the third what this one paid them, and transfers 3 and 4; the fourth act 2.
 */
beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.game();
  const players = [await w.player("mia_1", { balance: 100 }), await w.player("leo_2", { balance: 100 })];
  const playRound = async () => {
    for (let i = 0; i < 2; i++) await Promise.all(players.map((player) => bet(w, player, 1, "A,B,C,D")));
  };
  const seal = () => w.site.housekeeping.seal();
  await w.live(1_000);
  await playRound();
  await operate(w, "notice:add", "--name", "Open", "--text", "Until late");
  await seal();
  await w.live(MINUTE_MS);
  await playRound();
  await seal();
  await w.live(MINUTE_MS);
  for (const { memberId } of players) {
    const gift = { code: "credit", account: "house:operator", amount: 7, memberId } as const;
    await move(w, { ...gift, cause: `gift ${memberId}` });
  }
  await seal();
  await operate(w, "notice:add", "--name", "Closed", "--text", "Until early");
  await seal();
  await w.live(MINUTE_MS);
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

const changed = (...seals: number[]) => seals.map((seal) => `seal ${seal}: what it covers was changed`);
const loose = (...seals: number[]) => seals.map((seal) => `seal ${seal} does not follow the one before`);

describe("the audit of the seals", () => {
  const problemsAfter = async (sql: string) => (await partly(copies, sql, auditSeals)).problems;
  const last = (table: string, where: string) => `id = (select max(id) from ${table} where ${where})`;

  it.each([
    ["untouched rows", "select 1"],
    ["what came after the last one", "delete from house_entries where id > (select max(house_to) from seals)"],
    [
      "a payout that no entry sums",
      "insert into payouts (round_id, member_id, amount, version, balance_after, created_at) values (1, 99, 1, 1, 1, 1)",
    ],
    ["seals from before they covered acts", "update seals set acts = null, acts_to = null where id in (2, 3)"],
  ])("finds nothing in %s", async (_, sql) => {
    expect(await problemsAfter(sql)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ["a bet that was lowered", "update bets set stake = stake - 1 where id = 2", changed(1)],
    ["a bet that is gone", "delete from bets where id = 1", changed(1)],
    ["a bet of the next round that is gone", "delete from bets where id = 5", changed(2)],
    ["what one round paid", "update payouts set amount = amount + 1 where round_id = 1 and member_id = 2", changed(2)],
    [
      "what the next round paid",
      "update payouts set amount = amount + 1 where round_id = 2 and member_id = 1",
      changed(3),
    ],
    [
      "what the house took",
      `update house_entries set amount = 0 where ${last("house_entries", "kind = 'bets'")}`,
      changed(2),
    ],
    ["the reason of a transfer", "update transfers set reason = 'x' where id = 3", changed(3)],
    ["a transfer that is gone", "delete from transfers where id = 2", changed(1)],
    ["transfers under numbers below 1", "update transfers set id = -id where id = 1", changed(1)],
    [
      "a transfer that somebody put before all",
      "insert into transfers (id, code, cause, debit, credit, amount, created_at) values (0, 'credit', 'x', 'a', 'b', 1, 1)",
      changed(1),
    ],
    [
      "a house entry that somebody put before all",
      "insert into house_entries (id, kind, amount, from_id, to_id, created_at) values (-3, 'bets', 0, 0, 0, 1)",
      changed(1),
    ],
    ["another root", "update seals set root = 'x' where id = 2", [...changed(2), ...loose(2)]],
    ["another seal", "update seals set seal = 'x' where id = 2", loose(2, 3)],
    ["a seal that is gone", "delete from seals where id = 3", [...changed(4), ...loose(4)]],
    ["a seal that ends earlier", "update seals set transfers_to = 1 where id = 1", changed(1, 2)],
    ["a seal that ends at an earlier entry", "update seals set house_to = house_to - 1 where id = 2", changed(2, 3)],
    [
      "an act that was put before all",
      "insert into operator_acts (id, at, who, host, command, words, outcome) values (-3, 1, 'a', 'b', 'audit', '', 'done')",
      ["act -3 of an operator was added after its time was sealed"],
    ],
    [
      "an act that its seal leaves out",
      "update seals set acts = '[]' where id = 4",
      [...changed(4), "act 2 of an operator was added after its time was sealed"],
    ],
    [
      "acts that are gone",
      "delete from operator_acts",
      [1, 2].map((act) => `act ${act} of an operator is gone, and was sealed`),
    ],
  ])("names %s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });
});

describe("the audit of how far the seals reach", () => {
  const problemsAfter = async (sql: string, now = Number.MAX_SAFE_INTEGER) => {
    const { problems } = await partly(copies, sql, async (read, found) =>
      auditSealReach(read, await SignsOfLife.read(read, now), found),
    );
    return problems;
  };
  /** A server opened a round later than all else was written. */
  const WORKED = `update rounds set opened_at = ${START + 10 * MINUTE_MS} where id = (select max(id) from rounds);`;
  const LOST = "delete from house_entries where id > (select max(house_to) from seals);";
  const late = (what: string, seconds: number) =>
    `the seals end before ${what} of ${new Date(START + 1_000 * seconds).toISOString()}: a server worked on for ${600 - seconds} s`;

  it.each([
    ["untouched rows", "select 1"],
    ["rows up to the last seal, however long a server worked on", LOST + WORKED],
  ])("finds nothing in %s", async (_, sql) => {
    expect(await problemsAfter(sql)).toEqual([]);
  });

  it("finds nothing where a server may have been away since", async () => {
    expect(await problemsAfter("delete from seals", START)).toEqual([]);
  });

  /** The house entry that comes next after what this seal covers: a batch takes one bet or several. */
  const nextEntry = async (seal: number) => {
    const text = "select min(id) as id from house_entries where id > (select house_to from seals where id = ?)";
    const [row] = await withConnection(databaseIn(w), ({ all }) => all<{ id: number }>(text, seal));
    return `house entry ${row!.id}`;
  };

  it.each<[string, string, () => Promise<string[]>]>([
    [
      "the first rows where there is no seal, and no act then",
      "delete from seals",
      async () => [late("house entry 1", 1), late("transfer 1", 0)],
    ],
    [
      "the first of those behind the last seal",
      "delete from seals where id > 2",
      async () => [late(await nextEntry(2), 121), late("transfer 3", 121), late("act of an operator 2", 121)],
    ],
    [
      "rows alone where seals covered no act",
      "delete from seals where id > 1; update seals set acts = null, acts_to = null",
      async () => [late(await nextEntry(1), 61), late("transfer 3", 121)],
    ],
  ])("names %s", async (_, sql, problems) => {
    expect(
      await problemsAfter(`update operator_acts set at = ${START + 121_000} where id = 2; ${WORKED}${sql}`),
    ).toEqual(await problems());
  });
});
