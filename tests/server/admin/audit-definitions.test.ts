import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dueDefinitions, readDefinitions } from "#db/definitions.ts";
import { audited } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { ENGINE } from "../../support/databases.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
let copies: Copies;
beforeAll(async () => {
  w = await world();
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

const refuses = "refuse_change('bets are never changed')";
const lax = `create function lax() returns trigger language plpgsql as $$ begin return new; end $$`;

const CASES = {
  sqlite: [
    ["drop trigger transfers_no_update", ["the trigger transfers_no_update of the migrations is missing"]],
    ["drop index transfers_once", ["the index transfers_once of the migrations is missing"]],
    ["drop table listing_looks", ["the table listing_looks of the migrations is missing"]],
    [
      "drop trigger bets_no_delete; create trigger bets_no_delete before delete on bets begin select 1; end",
      ["the trigger bets_no_delete is not as the migrations make it"],
    ],
    [
      "drop index transfers_once; create index transfers_once on transfers (code, cause)",
      ["the index transfers_once is not as the migrations make it"],
    ],
    ["alter table wallets add column spare integer", ["the table wallets is not as the migrations make it"]],
    [
      "create trigger greedy after insert on bets begin update settings set value = value; end",
      ["the migrations make no trigger greedy, but there is one"],
    ],
  ],
  postgres: [
    [
      "drop trigger transfers_no_update on transfers",
      ["the trigger transfers.transfers_no_update of the migrations is missing"],
    ],
    ["drop index transfers_once", ["the index transfers_once of the migrations is missing"]],
    [
      "alter table rounds drop constraint rounds_beacon",
      ["the constraint rounds.rounds_beacon of the migrations is missing"],
    ],
    [
      "alter table bets disable trigger bets_no_update",
      ["the trigger bets.bets_no_update is not as the migrations make it"],
    ],
    [
      `drop trigger bets_no_update on bets; create trigger bets_no_update after update on bets for each row execute function ${refuses}`,
      ["the trigger bets.bets_no_update is not as the migrations make it"],
    ],
    [
      "create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$",
      ["the function refuse_change is not as the migrations make it"],
    ],
    [
      "alter table spins disable trigger all",
      [expect.stringMatching(/^the constraint spins\.spins_pair_id_.* is not as the migrations make it$/)],
    ],
    [
      "alter table wallets drop constraint wallets_balance; alter table wallets add constraint wallets_balance check (balance < 5)",
      ["the constraint wallets.wallets_balance is not as the migrations make it"],
    ],
    [
      "alter table rounds drop constraint rounds_beacon; alter table rounds add constraint rounds_beacon check (beacon_rule <> 'none' or beacon = '') not valid",
      ["the constraint rounds.rounds_beacon is not as the migrations make it"],
    ],
    ["alter table bets alter column stake drop not null", ["the table bets is not as the migrations make it"]],
    ["alter table bets enable row level security", ["the table bets is not as the migrations make it"]],
    [
      `${lax}; create trigger greedy before insert on bets for each row execute function lax()`,
      [
        "the migrations make no trigger bets.greedy, but there is one",
        "the migrations make no function lax, but there is one",
      ],
    ],
    [
      "create rule silent as on delete to bets do instead nothing",
      ["the migrations make no rule bets.silent, but there is one"],
    ],
  ],
}[ENGINE] as [sql: string, problems: string[]][];

describe("the audit of what guards the rows", () => {
  it("finds an untouched database as the migrations make it", async () => {
    expect(await readDefinitions(w.deps.db.read)).toEqual(await dueDefinitions());
    expect((await audited(await copies.tampered("select 1"))).problems).toEqual([]);
  });

  it.each(CASES)("names the change: %s", async (sql, problems) => {
    const { ok, problems: found } = await audited(await copies.changed(sql));
    expect(ok).toBe(false);
    expect(found).toEqual(expect.arrayContaining(problems));
  });

  it("sees nothing wrong in statistics", async () => {
    expect((await audited(await copies.changed("analyze"))).problems).toEqual([]);
  });
});
