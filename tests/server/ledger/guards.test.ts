import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { ENGINE } from "../../support/databases.ts";
import type { World } from "../../support/world.ts";
import { answerOf, guardedWorld } from "./guarded.ts";

let w: World;
let connection: OwnConnection;

beforeAll(async () => {
  w = await guardedWorld();
  connection = await openConnection(w.config.database);
});
afterAll(async () => {
  await connection.close();
  await w.close();
});

const answerTo = (table: string, statement: string) => answerOf(connection, table, statement);

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
  it.each(Object.entries(fixed))("never changes %s", async (table, change) => {
    expect(await answerTo(table, `update ${table} set ${change}`)).toMatch(/never changed/);
  });

  it.each([...Object.keys(fixed), "rounds", "wallets", "members"])("never deletes %s", async (table) => {
    expect(await answerTo(table, `delete from ${table}`)).toMatch(/never deleted/);
  });

  const answer = {
    dice: "'[6,6,6]'",
    seed: "'00'",
    commit: "'00'",
    closed_at: "closed_at - 1",
    drawn_at: "drawn_at + 1",
    settled_at: "null",
    indexed_at: "null",
    paid: "paid + 1",
    staked: "0",
    bet_count: "0",
    from_bet: "from_bet + 1",
    to_bet: "to_bet + 1",
    beacon: "'00'",
    beacon_rule: "'drand:quicknet:1000'",
    odds_id: "odds_id + 1",
    opened_at: "0",
    closes_at: "closes_at + 1",
    draws_at: "draws_at + 1",
    number: "number + 1",
    day: "day + 1",
  };
  it.each(Object.entries(answer))("never changes the %s of a round that is settled", async (column, value) => {
    const statement = `update rounds set "${column}" = ${value} where id = 1`;
    expect(await answerTo("rounds", statement)).toMatch(/what a round says is never changed/);
  });

  const opening = {
    odds_id: "odds_id + 1",
    closes_at: "closes_at + 1",
    draws_at: "draws_at + 1",
    number: "number + 1",
    beacon: "'00'",
    beacon_rule: "'drand:quicknet:1000'",
  };
  it.each(Object.entries(opening))("never changes the %s of a round that is open", async (column, value) => {
    const statement = `update rounds set ${column} = ${value} where closed_at is null`;
    expect(await connection.all("select id from rounds where closed_at is null")).toHaveLength(1);
    expect(await answerTo("rounds", statement)).toMatch(/what a round says is never changed/);
  });

  const SKIP = "skipped_at = 1, closed_at = coalesce(closed_at, 1), to_bet = coalesce(to_bet, from_bet)";
  it.each([
    ["that is closed", "drawn_at is not null"],
    ["on which somebody bet, as it closes", "closed_at is null"],
  ])("skips no round %s", async (_, which) => {
    const statement = `update rounds set ${SKIP} where id in (select round_id from bets) and ${which}`;
    expect(await answerTo("rounds", statement)).toMatch(/drawn, and never skipped/);
  });

  it.each([
    ["once it is settled", "settled_at is not null"],
    ["while it is open", "closed_at is null"],
  ])("marks no round failed %s", async (_, which) => {
    expect(await answerTo("rounds", `update rounds set failed_at = 1 where ${which}`)).toMatch(/a round fails after/);
  });

  it("withdraws a gap once, and changes nothing else of it", async () => {
    const back = "update gaps set taken_back_at = 1";
    expect(await answerTo("gaps", `${back}, reason = 'clock'`)).toMatch(/never changed/);
    await connection.run("begin");
    await connection.run(back);
    if (ENGINE === "postgres") await connection.run("savepoint taken");
    expect(await connection.run(back).catch((error: Error) => error.message)).toMatch(/never changed/);
    await connection.run("rollback");
  });

  it("draws no round before it is closed", async () => {
    expect(await answerTo("rounds", "update rounds set drawn_at = 1 where closed_at is null")).toMatch(/rounds_order/);
  });

  const aBet = (round: string) =>
    `insert into bets (member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
     select member_id, ${round}, odds_id, mask, stake, total, version + 1, balance_after, created_at from bets limit 1`;

  it("accepts no bet on a closed round, and one on an open round", async () => {
    expect(await answerTo("bets", aBet("(select min(id) from rounds)"))).toMatch(/the round is closed for good/);
    await connection.run("begin");
    await connection.run(aBet("(select id from rounds where closed_at is null)"));
    await connection.run("rollback");
  });

  it.each([
    ["without its version", "balance = balance + 1"],
    ["by more than one version", "balance = balance + 1, version = version + 2"],
    ["back to an earlier version", "balance = balance + 1, version = version - 1"],
  ])("changes no balance %s", async (_, change) => {
    expect(await answerTo("wallets", `update wallets set ${change}`)).toMatch(/changes with its version/);
  });

  it("changes no version without a balance", async () => {
    expect(await answerTo("wallets", "update wallets set version = version + 1")).toMatch(/changes with its version/);
  });

  it("lets no balance fall below zero", async () => {
    expect(await answerTo("wallets", "update wallets set balance = -1, version = version + 1")).toMatch(
      /wallets_balance/,
    );
  });

  it("pays a member once for a round", async () => {
    expect(await answerTo("payouts", "insert into payouts select * from payouts")).toMatch(/unique/i);
  });

  it.each(["key = 'k9'", "kind = 'other'", "period_s = 30"])("keeps a game's clock valid: not %s", async (change) => {
    expect(await answerTo("games", `update games set ${change}`)).toMatch(/clock of a game is never changed/);
  });
});
