import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditWheelLogs } from "#server/admin/audit/wheel-logs.ts";
import { partly } from "./audit-one-part.ts";
import { wheelGround } from "./audit-wheel-ground.ts";

let ground: Awaited<ReturnType<typeof wheelGround>>;
beforeAll(async () => {
  ground = await wheelGround();
});
afterAll(() => ground.close());

const problemsAfter = async (sql: string) => (await partly(ground.copies, sql, auditWheelLogs)).problems;

const SECOND = `insert into log_keys (id, log, origin, public_key, sealed_key, first_batch, created_at)
  values (50, 2, 'second', '', '', 0, 1);`;
const ORIGIN = "(select origin from log_keys where log = 1)";
const elsewhere = (name: string) =>
  `${name}: its seed was derived in the name of another log than the one that states it`;
const nameless = (pair: number) => `pair ${pair}: its seed was derived in the name of no log, as it was done before`;
const PAIRS = [1, 2, 3, 4, 5, 6, 7].map((pair) => `pair ${pair}`);
const SPINS = ["0 of pair 1", "1 of pair 1", "2 of pair 1", "0 of pair 2", "1 of pair 2", "0 of pair 4", "0 of pair 6"];

describe("the audit of the logs that pairs and spins stand in", () => {
  it.each([
    ["an untouched wheel", "select 1"],
    [
      "pairs that a log before and the one of today state",
      `${SECOND}insert into log_leaves (log, key, text, number) select 2, key, text, number from log_leaves`,
    ],
    [
      "pairs that the second log states, in whose name they are",
      `${SECOND}update log_leaves set log = 2; update wheel_pairs set origin = 'second'`,
    ],
    ["what no log states", "delete from log_leaves; update wheel_pairs set origin = 'chosen'"],
    ["what no chain has", "delete from member_leaves; update wheel_pairs set origin = 'chosen'"],
    ["the first pairs, from before they named a log", "update wheel_pairs set origin = null where id < 3"],
    ["a wheel without pairs", "delete from spins; delete from wheel_pairs"],
  ])("finds nothing in %s", async (_, sql) => {
    expect(await problemsAfter(sql)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    [
      "pairs in the name of another log, and their spins",
      `${SECOND}update wheel_pairs set origin = 'second' where id in (2, 4)`,
      ["pair 2", "pair 4", "spin 0 of pair 2", "spin 1 of pair 2", "spin 0 of pair 4"].map(elsewhere),
    ],
    [
      "a pair in the name of no log",
      "update wheel_pairs set origin = 'chosen' where id = 6",
      ["pair 6", "spin 0 of pair 6"].map(elsewhere),
    ],
    [
      "all that another log states",
      `${SECOND}update log_leaves set log = 2`,
      [...PAIRS, ...SPINS.map((one) => `spin ${one}`)].map(elsewhere),
    ],
    [
      "pairs that name none, behind one that does",
      "update wheel_pairs set origin = null where id in (1, 3, 5)",
      [nameless(3), nameless(5)],
    ],
  ])("names %s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });

  it("names one of more than it reads at once, once", async () => {
    const sql = `update wheel_pairs set origin = 'chosen' where id = 6; update spins set id = 6000 where id = 7;
      insert into spins (id, member_id, pair_id, nonce, table_id, prize_id, kind, amount, price, won, created_at)
        with recursive n (i) as (select 0 union all select i + 1 from n where i < 4993)
        select case i when 4993 then 6001 else 10 + i end, 1, 3, i, table_id, prize_id, kind, amount, price, won, created_at
        from n, spins where id = 4;
      insert into wheel_pairs (id, member_id, number, "commit", nonce, created_at, revealed_at, origin)
        with recursive n (i) as (select 0 union all select i + 1 from n where i < 5000)
        select 8 + i, 9, i, 'x', 0, 1, 1, case i when 4992 then null else ${ORIGIN} end from n`;
    const problems = await problemsAfter(`drop index wheel_pairs_next; ${sql}`);
    expect(problems).toEqual([nameless(5_000), elsewhere("pair 6"), elsewhere("spin 0 of pair 6")]);
  });
});
