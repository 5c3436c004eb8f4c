import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOrders } from "#server/domains/lottery/read-orders.ts";
import { readMessages } from "#server/domains/member/read-messages.ts";
import { readDeposits } from "#server/domains/payments/read-deposits.ts";
import { readWithdrawals } from "#server/domains/payments/read-withdrawals.ts";
import { readMoneyLog } from "#server/domains/wallet/money-log.ts";
import { openNoting, planOf, type Asked, type NotingConnection } from "../../support/asked-statements.ts";
import { databaseIn } from "../../support/databases.ts";
import { byLength } from "../../support/length.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type World } from "../../support/world.ts";

/** Rows of each list, of all members. */
const ROWS = byLength(100_000, 1_000_000);
const MEMBERS = 100;
const OF_EACH = ROWS / MEMBERS;
/** A period in the middle, in seconds: each member's changes came one a second. */
const PERIOD = { from: OF_EACH / 2, to: OF_EACH / 2 + 60 };
/** What each table's rows are made of: `member` and `version` of the row `i`. */
const TABLES = {
  bets: `(id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
    select i, member, 1, 1, 1, 1, 1, version, 1, version * 1000 from rows where version % 2 = 0`,
  transfers: `(id, code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
    select i, 'credit', 'row-' || i, 'house:operator', 'member:' || member, 1, member, version, 1, version * 1000
    from rows where version % 2 = 1`,
  journal_index: `(member_id, version, kind, row_id)
    select member, version, case version % 2 when 0 then 'bet' else 'transfer' end, i from rows`,
  deposits: `(id, order_no, member_id, channel, amount, status, locale, created_at, expires_at)
    select i, 'dep_' || i, member, 'sandbox', 1, 'failed', 'en_us', version * 1000, 0 from rows`,
  withdrawals: `(id, member_id, amount, status, day, created_at, updated_at)
    select i, member, 1, 'paid', 0, version * 1000, 0 from rows`,
  messages: `(id, member_id, kind, facts, created_at)
    select i, member, 'membership.ended', '{}', version * 1000 from rows`,
};

let w: World;
let database: string;
let connection: NotingConnection;

beforeAll(async () => {
  w = await world();
  database = databaseIn(w);
  await withConnection(database, async ({ run }) => {
    const numbers = (most: number) => `n(i) as (select 1 union all select i + 1 from n where i < ${most})`;
    await run(`
      insert into members (id, username, avatar, created_at)
        with recursive ${numbers(MEMBERS)} select i, 'm' || i, '', 0 from n;
      insert into wallets (member_id, balance, version)
        with recursive ${numbers(MEMBERS)} select i, 1, ${OF_EACH} from n;
      insert into games (id, key, kind, name, icon, period_s, close_s, created_at)
        values (1, 'k', 'dice-sum', '"K"', '', 60, 3, 0);
      insert into odds (id, game_id, milli, created_at) values (1, 1, '[1000]', 0);
      insert into rounds (id, game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet)
        values (1, 1, 1, 1, '', 1, 0, 1000, 2000, 1);`);
    for (const [table, rows] of Object.entries(TABLES)) {
      const [columns, select] = rows.split(/(?=\bselect\b)/, 2);
      await run(`insert into ${table} ${columns} with recursive ${numbers(ROWS)},
        rows as (select i, (i - 1) % ${MEMBERS} + 1 as member, (i - 1) / ${MEMBERS} + 1 as version from n) ${select}`);
    }
    await run("analyze");
  });
  connection = await openNoting(database);
});
afterAll(async () => {
  await connection.close();
  await w.close();
});

const query = () => ({ memberId: 7, locale: "en_us", limit: 10, ...PERIOD }) as const;
const LISTS: Record<string, () => Promise<readonly unknown[]>> = {
  bets: () => readOrders(connection.tx, w.deps, query()),
  "the money log": async () => (await readMoneyLog(connection.tx, w.deps, query())).list,
  "top-ups": () => readDeposits(connection.tx, w.deps, query()),
  withdrawals: () => readWithdrawals(connection.tx, w.deps, query()),
  messages: () => readMessages(connection.tx, w.deps, { ...query(), about: "membership" }),
};

/** The tables that a statement reads from end to end, by the engine's own plan. */
async function wholeReads(asked: Asked): Promise<string[]> {
  const plan = (await planOf(database, asked)).join("\n");
  return [...plan.matchAll(/(?:SCAN|Seq Scan on) (\w+)/g)].map(([, table]) => table!).filter((one) => one in TABLES);
}

describe("a list of records with a period", () => {
  it.each(Object.keys(LISTS))("reads no table from end to end, however many rows there are: %s", async (list) => {
    const { asked } = connection;
    asked.length = 0;
    expect(await LISTS[list]!()).toHaveLength(10);
    // The borders of a period are found by halving.
    expect(asked.length).toBeLessThan(4 + 2 * Math.ceil(Math.log2(OF_EACH + 1)));
    for (const statement of asked) expect([statement.sql, await wholeReads(statement)]).toEqual([statement.sql, []]);
  });
});
