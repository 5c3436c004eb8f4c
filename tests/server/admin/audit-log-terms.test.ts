import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logGround } from "./audit-log-ground.ts";
import { ENGINE } from "../../support/databases.ts";

/** How the engine stores JSON. */
const STORED = ENGINE === "postgres" ? "json" : "text";

let ground: Awaited<ReturnType<typeof logGround>>;
beforeAll(async () => {
  ground = await logGround();
});
afterAll(() => ground.close());

/** A sign that a server worked on: the open round opened later than all else was written. */
const WORKED = "update rounds set opened_at = opened_at + 300000 where id = 8";

/** Those of the problems that the audit does not name in a changed copy. */
async function unnamed(sql: string, ...problems: RegExp[]): Promise<unknown[]> {
  const { problems: found } = await ground.after(sql);
  const missing = problems.filter((one) => !found.some((said) => one.test(said)));
  return missing.length > 0 ? [...missing, ...found] : [];
}

describe.concurrent("the keys of the log: the audit names", () => {
  const KEY = `'${"cd".repeat(32)}'`;
  it.each<[string, string, ...RegExp[]]>([
    [
      "a first key that the origin does not name",
      `update log_keys set public_key = ${KEY} where id = 1`,
      /^the log's key 1 is not the one that its origin names$/,
      /^the log's head of \d+ leaves is not signed by the key that its leaves name last$/,
      /^the signature of the batch \d+ is not one of its bets by its key$/,
    ],
    [
      "a key that no leaf brought",
      `insert into log_keys (id, log, origin, public_key, sealed_key, first_batch, created_at)
        select 3, log, origin, ${KEY}, sealed_key, first_batch, created_at from log_keys where id = 2`,
      /^the log lacks the change to the key /,
    ],
    [
      "a leaf whose key is another",
      `update log_keys set public_key = ${KEY} where id = 2`,
      /^the log's change to the key .* has no row$/,
      /^the log lacks the change to the key /,
      /^the log's head of \d+ leaves is not signed by the key that its leaves name last$/,
    ],
    [
      "a key of another origin",
      "update log_keys set origin = 'other' where id = 2",
      /^the log's key 2 is of another origin/,
    ],
    [
      "another last batch",
      "update log_keys set first_batch = first_batch + 1 where id = 2",
      /^the log's change to the key .*: batch is \d+, the rows give \d+$/,
    ],
    [
      "another reason",
      `update log_rotations set reason = '"no"'`,
      /^the log's change to the key .*: reason is .*, the rows give no$/,
    ],
    [
      "a change that no server makes",
      `insert into log_rotations (id, reason, created_at) select 2, reason, created_at - 600000 from log_rotations; ${WORKED}`,
      /^the log's key 2 was to be replaced: a server worked on for \d+ s$/,
    ],
    [
      "a batch without a signature",
      "delete from batch_signatures",
      /^the batch \d+ has no signature, and its key was forgotten$/,
    ],
    [
      "another signature",
      "update batch_signatures set signature = (select max(signature) from batch_signatures)",
      /^the signature of the batch \d+ is not one of its bets by its key$/,
    ],
    [
      "a bet that is not the one of its batch",
      "update bets set stake = stake + 1 where id = 1",
      /^the signature of the batch \d+ is not one of its bets by its key$/,
    ],
    [
      "a key in force that was forgotten",
      "update log_keys set sealed_key = '' where id = 2",
      /^the log's key 2 is in force/,
    ],
  ])("%s", async (_title, sql, ...problems) => {
    expect(await unnamed(sql, ...problems)).toEqual([]);
  });
});

describe.concurrent("the tables of prizes in the log: the audit names", () => {
  it.each<[string, string, ...RegExp[]]>([
    [
      "other chances than the log states",
      `update wheel_tables set prizes = cast(replace(cast(prizes as text), '"weight":3', '"weight":4') as ${STORED})`,
      /^the log's table 1: prizes is .*"weight":3.*, the rows give .*"weight":4/,
    ],
    ["a table that is gone", "delete from wheel_tables where id = 1", /^the log's table 1 has no row$/],
    [
      "a table that no leaf states",
      "insert into wheel_tables (prizes, created_at) select prizes, created_at from wheel_tables where id = 1",
      /^the log lacks the table \d+$/,
    ],
  ])("%s", async (_title, sql, ...problems) => {
    expect(await unnamed(sql, ...problems)).toEqual([]);
  });
});

describe.concurrent("what the log says is served: the audit names", () => {
  it.each<[string, string, ...RegExp[]]>([
    [
      "other files",
      `update served_apps set files = '${"ef".repeat(32)}'`,
      /^the log's app since \d+: files is abab.*, the rows give efef/,
    ],
    ["a row that is gone", "delete from served_apps", /^the log's app since \d+ has no row$/],
    [
      "an app that no leaf states",
      "insert into served_apps (version, files, page, created_at) select '2', files, page, created_at + 1 from served_apps",
      /^the log lacks the app since \d+$/,
    ],
  ])("%s", async (_title, sql, ...problems) => {
    expect(await unnamed(sql, ...problems)).toEqual([]);
  });
});

describe("the audit tells", () => {
  it("as a note alone, a gap that was taken back", async () => {
    const { notes, problems } = await ground.after("update gaps set taken_back_at = created_at where id = 3");
    expect(problems.filter((one) => one.startsWith("the log"))).toEqual([]);
    expect(notes).toContain("the log's gap of k3-1m from 20260304-0263 was taken back: the clock had been ahead");
  });
});
