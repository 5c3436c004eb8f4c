import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import { WRITER_SESSION } from "#db/postgres/pool.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { CREDIT } from "#server/domains/lottery/settle.postgres.ts";
import { INDEX } from "#server/domains/lottery/index-round.postgres.ts";
import { PLACE } from "#server/domains/lottery/place-sql.ts";
import { world, type World } from "../../support/world.ts";
import { orderOf, takenOf } from "./book-world.ts";

const MEMBERS = 20_000;
const BETS = 100_000;
const ROUNDS = 5_000;
const OF_A_BATCH = 512;

/** A step of a plan, as far as it is checked here. */
interface Step {
  "Node Type": string;
  "Relation Name"?: string;
  "Rows Removed by Join Filter"?: number;
  Plans?: Step[];
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

let w: World;
let client: pg.Client;

beforeEach(async () => {
  w = await world();
  client = new pg.Client({ connectionString: w.config.database, ...WRITER_SESSION });
  await client.connect();
  await client.query(`
    insert into members (id, username, avatar, created_at) select i, 'm' || i, '', 0 from generate_series(1, ${MEMBERS}) i;
    insert into wallets (member_id, balance) select i, 1000000 from generate_series(1, ${MEMBERS}) i;
    insert into games (id, key, kind, name, icon, period_s, close_s, created_at) values (1, 'k', 'dice-sum', '"K"', '', 60, 3, 0);
    insert into odds (id, game_id, milli, created_at) values (1, 1, '[1000]', 0);
    insert into rounds (id, game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet)
      select i, 1, i, 1, '', 1, 0, 1000, 2000, 1 from generate_series(1, ${ROUNDS}) i;
    insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
      select i, i % ${MEMBERS} + 1, 1, 1, 1, 1, 1, 1, 1, 0 from generate_series(1, ${BETS}) i;
    insert into spent_keys select member_id, 'key-' || id, id, '' from bets;
    select setval(pg_get_serial_sequence('bets', 'id'), ${BETS});
    update rounds set closed_at = 1000 where id < ${ROUNDS};`);
  await client.query("vacuum analyze");
});
afterEach(async () => {
  await client.end();
  await w.close();
});

const literal = (values: readonly (number | string)[]) => `'{${values.join(",")}}'`;
const batchOf = (size: number, prefix: string) => {
  const each = <T>(of: (i: number) => T) => Array.from({ length: size }, (_, i) => of(i));
  const members = literal(each((i) => ((i * 7_919) % MEMBERS) + 1));
  const same = (value: number) => literal(each(() => value));
  const keys = literal(each((i) => `${prefix}-${i}`));
  return [members, same(ROUNDS), same(1), same(1), same(1), keys, literal(each(() => "x")), 1, 0, 0].join(", ");
};

/** The plan of a prepared batch, step by step. */
async function explain(mode: "force_generic_plan" | "force_custom_plan", call: string): Promise<Step[]> {
  await client.query(`set plan_cache_mode = ${mode}`);
  const text = `explain (analyze, format json) execute ${call}`;
  const { rows } = await client.query<{ "QUERY PLAN": string }>(text);
  const [{ Plan }] = JSON.parse(rows[0]!["QUERY PLAN"]) as [{ Plan: Step }];
  return stepsOf(Plan);
}

const readWhole = (steps: Step[]) =>
  steps.filter((step) => step["Node Type"] === "Seq Scan").map((step) => step["Relation Name"]);
const comparedInVain = (steps: Step[]) =>
  steps.reduce((sum, step) => sum + (step["Rows Removed by Join Filter"] ?? 0), 0);

describe.each(["force_generic_plan", "force_custom_plan"] as const)("the plan of a batch of bets (%s)", (mode) => {
  beforeEach(() =>
    client.query(
      `prepare place (bigint[], bigint[], bigint[], bigint[], bigint[], text[], text[], float8, float8, float8) as ${PLACE}`,
    ),
  );

  it("has no full table scan, and compares no order with all others", async () => {
    const steps = await explain(mode, `place(${batchOf(OF_A_BATCH, "first")})`);
    expect(readWhole(steps)).toEqual([]);
    expect(comparedInVain(steps)).toBeLessThan(OF_A_BATCH);
    expect((await client.query("select count(*)::int as n from bet_keys")).rows).toEqual([{ n: OF_A_BATCH }]);
    const again = await explain(mode, `place(${batchOf(OF_A_BATCH, "first")})`);
    expect(readWhole(again)).toEqual([]);
    expect(comparedInVain(again)).toBeLessThan(OF_A_BATCH);
  });
});

describe.each(["force_generic_plan", "force_custom_plan"] as const)("the plan of a settlement step (%s)", (mode) => {
  it("has no full table scan, and compares no member with all others", async () => {
    await client.query(
      `prepare credit (bigint, bigint, bigint, bigint[], bigint[], bigint, int, int, int, text[], bigint) as ${CREDIT}`,
    );
    await client.query(
      `prepare put_away (bigint[], bigint[], bigint[], int[], bigint, bigint, bigint, bigint) as ${INDEX}`,
    );
    await client.query(`insert into settle_ranges select i, 1, ${MEMBERS}, 0, 0 from generate_series(1, 20) i`);
    await client.query("insert into bet_keys select member_id, 'open-' || id, id, '' from bets");
    const members = literal(Array.from({ length: OF_A_BATCH }, (_, i) => i + 2));
    const bets = literal(Array.from({ length: OF_A_BATCH }, (_, i) => i + 1));
    const each = literal(Array.from({ length: OF_A_BATCH }, (_, i) => i % 2));
    const credits = await explain(mode, `credit(1, 0, ${MEMBERS}, ${members}, ${each}, 1, 0, 0, 0, '{}', 1)`);
    const indexed = await explain(mode, `put_away(${members}, ${bets}, ${members}, ${each}, 1, 1, 0, ${MEMBERS})`);
    for (const steps of [credits, indexed]) {
      expect(readWhole(steps)).toEqual([]);
      expect(comparedInVain(steps)).toBeLessThan(8 * OF_A_BATCH);
    }
    const { rows } = await client.query(
      `select (select count(*)::int from payouts) as paid, (select count(*)::int from bet_keys) as keys,
       (select count(*)::int from journal_index where kind = 'payout') as indexed`,
    );
    expect(rows).toEqual([{ paid: OF_A_BATCH / 2, keys: BETS - OF_A_BATCH, indexed: OF_A_BATCH / 2 }]);
  });
});

describe("a server's own connections", () => {
  /** How many full table scans there were, by this session and by closed ones. */
  async function wholeReads() {
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query(
      `select relname, seq_scan from pg_stat_user_tables
       where relname in ('wallets', 'bets', 'bet_keys', 'spent_keys') order by relname`,
    );
    return rows;
  }

  it("never scan a whole table for a batch, though it was empty when they planned", async () => {
    await wholeReads();
    const before = await wholeReads();
    const clock = { kind: "shared", buffer: new SharedArrayBuffer(8) } as const;
    const writer = new URL("../../../server/writer/sqlite-main.ts", import.meta.url);
    const postgresWork = () => import("#server/writer/postgres.ts");
    const db = await connect(w.config.database, { writer, postgresWork, clock, onFatal: () => {} });
    for (let batch = 0; batch < 8; batch++) {
      const orders = Array.from({ length: 64 }, (_, i) => orderOf(batch * 64 + i + 1, ROUNDS));
      expect(takenOf(await betBookOf(db).place(orders))).toHaveLength(64);
    }
    await db.close();
    await setTimeout(500);
    expect(await wholeReads()).toEqual(before);
  });
});
