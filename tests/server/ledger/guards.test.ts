import type Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { bet, openFile } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";

/** Settled, drawn and open rounds, a gap, a winner, a seal: each table has rows. */
let w: World;
let raw: Sqlite.Database;

beforeAll(async () => {
  w = await world();
  await w.game();
  const mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  await bet(w, mia, 10, "A,B");
  await w.live(60_000);
  await w.live(5 * 60_000);
  await bet(w, mia, 10);
  await w.site.housekeeping.seal();
  raw = openFile(w);
});
afterAll(async () => {
  raw.close();
  await w.close();
});

const rowsOf = (table: string) => raw.prepare(`select * from ${table}`).all();

/** What the database says to a statement, provided that it has left every row as it was. */
function answerTo(table: string, statement: string, connection = raw): string {
  const before = rowsOf(table);
  expect(before.length).toBeGreaterThan(0);
  let answer = "done";
  try {
    connection.exec(statement);
  } catch (error) {
    answer = (error as Error).message;
  }
  expect(rowsOf(table)).toEqual(before);
  return answer;
}

describe("the database itself", () => {
  const fixed = {
    bets: "stake = stake + 1",
    payouts: "amount = amount + 1",
    transfers: "reason = 'better'",
    house_entries: "amount = 0",
    seals: "root = ''",
    anchors: "anchor = ''",
    odds: "milli = '[]'",
    gaps: "reason = 'paused'",
  };
  it.each(Object.entries(fixed))("never changes %s", (table, change) => {
    expect(answerTo(table, `update ${table} set ${change}`)).toMatch(/never changed/);
  });

  it.each([...Object.keys(fixed), "rounds", "wallets", "members"])("never deletes %s", (table) => {
    expect(answerTo(table, `delete from ${table}`)).toMatch(/never deleted/);
  });

  it.each(["bets", "transfers", "house_entries", "seals", "odds", "gaps"])("never replaces %s in secret", (table) => {
    const server = openSqlite(w.config.databaseFile);
    try {
      const statement = `insert or replace into ${table} select * from ${table} order by id desc limit 1`;
      expect(answerTo(table, statement, server)).toMatch(/never deleted/);
    } finally {
      server.close();
    }
  });

  const said = {
    dice: "'[6,6,6]'",
    seed: "'00'",
    commit: "'00'",
    closed_at: "closed_at - 1",
    drawn_at: "drawn_at + 1",
    settled_at: "null",
    indexed_at: "null",
    settled_to: "0",
    paid: "paid + 1",
    staked: "0",
    bet_count: "0",
    from_bet: "from_bet + 1",
    to_bet: "to_bet + 1",
    beacon: "'00'",
    odds_id: "odds_id + 1",
    opened_at: "0",
    closes_at: "closes_at + 1",
    draws_at: "draws_at + 1",
    number: "number + 1",
    day: "day + 1",
  };
  it.each(Object.entries(said))("never changes the %s of a round that is settled", (column, value) => {
    const statement = `update rounds set \`${column}\` = ${value} where id = 1`;
    expect(answerTo("rounds", statement)).toMatch(/what a round says is never changed/);
  });

  it.each(["closes_at", "draws_at", "number"])("never changes the %s of a round that is open", (column) => {
    const statement = `update rounds set ${column} = ${column} + 1 where closed_at is null`;
    expect(raw.prepare("select count(*) from rounds where closed_at is null").pluck().get()).toBe(1);
    expect(answerTo("rounds", statement)).toMatch(/what a round says is never changed/);
  });

  it("draws nothing before it is closed", () => {
    expect(answerTo("rounds", "update rounds set drawn_at = 1 where closed_at is null")).toMatch(/rounds_order/);
  });

  const aBet = (round: string) =>
    `insert into bets (member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
     select member_id, ${round}, odds_id, mask, stake, total, version + 1, balance_after, created_at from bets limit 1`;

  it("takes no bet into a closed round, and a bet into an open one", () => {
    expect(answerTo("bets", aBet("(select min(id) from rounds)"))).toMatch(/the round is closed for good/);
    raw.exec("begin");
    raw.exec(aBet("(select id from rounds where closed_at is null)"));
    raw.exec("rollback");
  });

  it.each([
    ["without its version", "balance = balance + 1"],
    ["by more than one version", "balance = balance + 1, version = version + 2"],
    ["back to an earlier version", "balance = balance + 1, version = version - 1"],
  ])("changes no balance %s", (_, change) => {
    expect(answerTo("wallets", `update wallets set ${change}`)).toMatch(/changes with its version/);
  });

  it("changes no version without a balance", () => {
    expect(answerTo("wallets", "update wallets set version = version + 1")).toMatch(/changes with its version/);
  });

  it("lets no balance fall below nothing", () => {
    expect(answerTo("wallets", "update wallets set balance = -1, version = version + 1")).toMatch(/wallets_balance/);
  });

  it("pays a member once for a round", () => {
    expect(answerTo("payouts", "insert into payouts select * from payouts")).toMatch(/UNIQUE/);
  });

  it.each(["key = 'k9'", "kind = 'other'", "period_s = 30"])("keeps a game's clock: not %s", (change) => {
    expect(answerTo("games", `update games set ${change}`)).toMatch(/clock of a game is never changed/);
  });
});
