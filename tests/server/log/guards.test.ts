import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import type { World } from "../../support/world.ts";
import { answerOf, guardedWorld } from "../ledger/guarded.ts";
import { stateMany } from "./read-log.ts";

let w: World;
let connection: OwnConnection;

beforeAll(async () => {
  w = await guardedWorld();
  await stateMany(w, 300);
  await w.live(60_000);
  // The last round is closed, and not drawn yet.
  await w.live(56_500);
  connection = await openConnection(w.config.database);
});
afterAll(async () => {
  await connection.close();
  await w.close();
});

const answerTo = (table: string, statement: string) => answerOf(connection, table, statement);

describe("the database itself", () => {
  it.each([
    ["log_keys", "public_key = ''", /never changed/],
    ["log_leaves", "text = '{}' where text is not null", /never changed/],
    ["log_leaves", "text = null where text is not null and number is not null", /never changed/],
    ["log_leaves", "number = 0 where number = 1", /never changed/],
    ["log_leaves", "key = 'other'", /never changed/],
    ["log_bundles", "data = ''", /never changed/],
    ["log_tiles", "hashes = ''", /only grow/],
    ["log_tiles", "hashes = '00' || hashes", /only grow/],
    ["log_heads", "root = ''", /never changed/],
    ["log_heads", "note = 'other'", /never changed/],
    ["log_heads", "note = null", /never changed/],
    ["log_rounds", "bets_root = '00' where bets_root is not null", /counted once/],
    ["member_leaves", "content = '{}'", /never changed/],
    ["member_chains", "hash = '00'", /only grows/],
    ["member_chains", "number = number + 2", /only grows/],
    ["member_salts", "salt = '00'", /never changed/],
    ["bet_groups", "staked = 0 where root is not null", /never changed/],
    ["bet_groups", "first = 0", /never changed/],
  ])("never changes %s: %s", async (table, change, answer) => {
    const where = await connection.all(
      `select 1 from ${table} ${/where/.test(change) ? change.slice(change.indexOf("where")) : ""}`,
    );
    expect(where.length).toBeGreaterThan(0);
    expect(await answerTo(table, `update ${table} set ${change}`)).toMatch(answer);
  });

  it.each(["log_keys", "log_leaves", "log_bundles", "log_tiles", "bet_groups", "member_leaves", "member_chains"])(
    "never deletes %s",
    async (table) => {
      expect(await answerTo(table, `delete from ${table}`)).toMatch(/never deleted/);
    },
  );

  it("takes no head that is not larger than all before, and keeps the newest", async () => {
    const head = "insert into log_heads (log, size, root, at) select 1, max(size) - 1, '00', 0 from log_heads";
    expect(await answerTo("log_heads", head)).toMatch(/larger than all before/);
    const newest = "delete from log_heads where size = (select max(size) from log_heads)";
    expect(await answerTo("log_heads", newest)).toMatch(/never deleted/);
  });

  it("keeps what a witness signed as it is, as long as its head", async () => {
    await connection.run(
      "insert into log_cosignatures (log, size, witness, line, signed_at) select 1, max(size), 'w', 'line', 1 from log_heads",
    );
    expect(await answerTo("log_cosignatures", "update log_cosignatures set signed_at = 2")).toMatch(/never changed/);
    expect(await answerTo("log_cosignatures", "delete from log_cosignatures")).toMatch(/as long as its head/);
  });

  it("states nothing twice", async () => {
    const twice = "insert into log_leaves (log, key, text) select log, key, '{}' from log_leaves limit 1";
    expect(await answerTo("log_leaves", twice)).toMatch(/unique/i);
  });
});
