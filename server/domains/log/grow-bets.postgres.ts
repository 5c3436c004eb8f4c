import type pg from "pg";
import { codeOf } from "#db/away.ts";
import type { JobContext } from "#db/postgres/work.ts";
import { betPage, Growth, MOST_AT_ONCE, type BetRow, type Grown, type ToGrow } from "./grow-bets.ts";
import { saltsOf } from "./read-salts.postgres.ts";

const BETS = betPage("$1", "$2");

/** Takes bets into the trees of their rounds, as grow-bets.sqlite.ts does. */
export async function growBets({ pool }: JobContext, range: ToGrow): Promise<Grown> {
  const upTo = range.upTo ?? (await reachOf(pool, range.after));
  const growth = new Growth(range, upTo);
  while (growth.after !== null) {
    const values = [growth.after, upTo];
    const { rows } = await pool.query<BetRow>({ name: "log.bets", text: BETS, values, rowMode: "array" });
    growth.add(rows, await saltsOf(pool, growth.unsalted(rows)));
  }
  return growth.grown;
}

/** The bets in a row after the first value, without a hole: all of them are committed. */
const IN_A_ROW = `select coalesce(max(id), $1::bigint) from
  (select id, row_number() over (order by id) as n from bets where id > $1::bigint order by id limit ${MOST_AT_ONCE}) as next
  where id = $1::bigint + n`;
const REACH = `select coalesce((select to_id from house_entries
  where kind = 'bets' and id <= (select house_to from ledger_reach()) order by id desc limit 1), 0)`;
const LOCK_TIMEOUT = "55P03";

/**
 * The bet up to which all is committed, or `after`. A number that is missing belongs to a commit under way, or to none:
 * then the ledger's lock tells.
 */
async function reachOf(pool: pg.Pool, after: number): Promise<number> {
  const one = async (name: string, text: string, values: number[]) =>
    (await pool.query<[number]>({ name, text, values, rowMode: "array" })).rows[0]![0];
  const inARow = await one("log.row", IN_A_ROW, [after]);
  if (inARow > after) return inARow;
  try {
    return Math.min(Math.max(after, await one("log.reach", REACH, [])), after + MOST_AT_ONCE);
  } catch (error) {
    if (codeOf(error) === LOCK_TIMEOUT) return after;
    throw error;
  }
}
