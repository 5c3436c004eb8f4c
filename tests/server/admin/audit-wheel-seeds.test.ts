import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditWheelSeeds } from "#server/admin/audit/wheel-seeds.ts";
import { KeyRing, masterKey } from "#server/config/keys.ts";
import { dayOf } from "#shared/time.ts";
import { START } from "../../support/world.ts";
import { partly } from "./audit-one-part.ts";
import { wheelGround } from "./audit-wheel-ground.ts";

let ground: Awaited<ReturnType<typeof wheelGround>>;
beforeAll(async () => {
  ground = await wheelGround();
});
afterAll(() => ground.close());

const TODAY = dayOf(START);
const [OWN, OTHER] = ["5eed", "abcd"].map((word) => Buffer.from(word.repeat(16), "hex")) as [Buffer, Buffer];
const keyFrom = (fromDay: number, key = OWN) =>
  new KeyRing([masterKey(key, { version: 1, fromDay })], { now: () => START });

const problemsAfter = async (sql: string, keys = keyFrom(0)) =>
  (await partly(ground.copies, sql, (read, found) => auditWheelSeeds(read, keys, found))).problems;

const uncommitted = (...pairs: number[]) =>
  pairs.map((pair) => `pair ${pair}: its commit does not follow from the master key`);
const another = (...spins: [nonce: number, pair: number][]) =>
  spins.map(([nonce, pair]) => `spin ${nonce} of pair ${pair}: the master key gives another prize`);
const CHANGED = "prize_id = case prize_id when 'one' then 'two' else 'one' end";

describe("the audit of the wheel's secret seeds", () => {
  it.each([
    ["an untouched wheel", "select 1"],
    ["a spin whose seed is public", `update spins set ${CHANGED} where id = 1`],
  ])("finds nothing in %s", async (_, sql) => {
    expect(await problemsAfter(sql)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ["a commit", `update wheel_pairs set "commit" = 'x' where id in (3, 5)`, uncommitted(3, 5)],
    ["a pair that names no log", "update wheel_pairs set origin = null where id = 3", uncommitted(3)],
    [
      "a pair that names another one's log",
      "update wheel_pairs set origin = 'chosen' where id = 2",
      [
        "pair 2: its seed was derived in the name of no log of this house",
        ...uncommitted(2),
        ...another([0, 2], [1, 2]),
      ],
    ],
    ["spins that won something else", `update spins set ${CHANGED} where id in (4, 6)`, another([0, 2], [0, 4])],
    [
      "a spin without words",
      "drop index wheel_pairs_next; update wheel_pairs set words = null where id = 2",
      another([0, 2], [1, 2]),
    ],
    [
      "a spin from a table without chances",
      "update wheel_tables set prizes = '[]'",
      another([0, 2], [1, 2], [0, 4], [0, 6]),
    ],
    ["a spin from a table that is gone", "update spins set table_id = 9 where id = 5", another([1, 2])],
  ])("names %s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });

  it("names what another key does not give", async () => {
    const secret = another([0, 2], [1, 2], [0, 4], [0, 6]);
    expect(await problemsAfter("select 1", keyFrom(TODAY, OTHER))).toEqual([
      ...uncommitted(1, 2, 3, 4, 5, 6, 7),
      ...secret,
    ]);
  });

  it("says nothing of days whose key may be gone", async () => {
    expect(await problemsAfter("select 1", keyFrom(TODAY + 1, OTHER))).toEqual([]);
  });

  it("but of what a key gives that is here still", async () => {
    const sql = `update spins set ${CHANGED} where id = 4`;
    expect(await problemsAfter(sql, keyFrom(TODAY + 1))).toEqual(another([0, 2]));
  });

  it("names one of more than it reads at once, once", async () => {
    // The last row of the first page is of today, and those around it of a day whose key may be gone.
    const sql = `update wheel_pairs set created_at = 1, "commit" = 'x' where id = 3;
      insert into spins (id, member_id, pair_id, nonce, table_id, prize_id, kind, amount, price, won, created_at)
        with recursive n (i) as (select 0 union all select i + 1 from n where i < 5000)
        select 10 + i, 1, case i when 4995 then 7 else 3 end, i, table_id, prize_id, kind, amount, price, won, created_at
        from n, spins where id = 4;
      insert into wheel_pairs (id, member_id, number, "commit", nonce, created_at, revealed_at)
        with recursive n (i) as (select 0 union all select i + 1 from n where i < 5000)
        select 8 + i, 9, i, 'x', 0, case i when 4992 then ${START} else 1 end, 1 from n`;
    const problems = await problemsAfter(`drop index wheel_pairs_next; ${sql}`, keyFrom(TODAY));
    expect(problems).toEqual([...uncommitted(5_000), ...another([4_995, 7])]);
  });
});
