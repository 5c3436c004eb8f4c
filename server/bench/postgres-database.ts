import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { migrateDatabase } from "#db/migrate.ts";
import { findPrograms, startPrivate } from "#db/postgres/private-server.ts";
import { hashToken } from "#server/domains/session/tokens.ts";
import { DEFAULT_KIND, rulesOf } from "#shared/lottery/games.ts";
import { dayOf, DAY_MS, SECOND_MS } from "#shared/time.ts";
import { START, tokenOf } from "./database.ts";
import { DIGEST, KEPT_KEYS, OPEN_ROUND } from "./fill-past.ts";
import type { Line } from "./report.ts";

const run = promisify(execFile);
const BALANCE = 1_000_000_000_000;
const BETS_A_COMMIT = 512;

/** A PostgreSQL for the bench, with its default durability. */
export interface BenchPostgres extends AsyncDisposable {
  /** Creates a database. With `fill` it is migrated and filled. */
  createDatabase(name: string, fill?: (client: pg.Client) => Promise<void>): Promise<string>;
  /** Runs pgbench on a database of this server. */
  pgbench(url: string, ...args: string[]): Promise<string>;
  /** A folder for a server's files. */
  folder: string;
}

/** Starts it with the programs on this machine; null if there are none. */
export async function startBenchPostgres(): Promise<BenchPostgres | null> {
  const programs = findPrograms();
  if (!programs) return null;
  const server = await startPrivate(programs);
  const folder = mkdtempSync(join(tmpdir(), "trio-bench-"));
  return {
    folder,
    async createDatabase(name, fill) {
      await withClient(server.url, (client) => client.query(`create database ${name}`));
      const url = server.url.replace(/[^/]+$/, name);
      if (!fill) return url;
      await migrateDatabase(url);
      await withClient(url, fill);
      return url;
    },
    pgbench: async (url, ...args) => (await run(join(programs, "pgbench"), [...args, url])).stdout,
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The line of a row that could not be measured. */
export function noPostgres(what: string): Line[] {
  const detail = "NOT MEASURED: THERE IS NO POSTGRESQL ON THIS MACHINE (Debian's package postgresql has all of it)";
  return [{ what, value: 0, detail, goal: { better: "more", target: 1 } }];
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Deletes the keys, as settlement does, and checkpoints: neither side pays for the other's writes. */
export async function clearPostgresKeys(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("truncate bet_keys");
    await client.query("checkpoint");
  });
}

/** Adds members, each logged in. */
export async function fillMembers(client: pg.Client, members: number): Promise<void> {
  const ids = Array.from({ length: members }, (_, i) => i + 1);
  const hashes = ids.map((id) => hashToken(tokenOf(id)));
  await client.query(
    `with people as (
       insert into members (id, username, avatar, created_at) select id, 'member_' || id, 'avatar/1', $2 from unnest($1::bigint[]) id
     )
     insert into wallets (member_id, balance) select id, $3 from unnest($1::bigint[]) id`,
    [ids, START, BALANCE],
  );
  await client.query(
    `insert into sessions (member_id, token_hash, created_at, last_seen_at, ip, agent)
     select id, hash, $3, $3, '127.0.0.1', 'bench' from unnest($1::bigint[], $2::text[]) o(id, hash)`,
    [ids, hashes, START],
  );
  await client.query("analyze");
}

/** As `fillPast`: the bets of one settled round, with their keys, index rows and house entries. A second round is open. */
export async function fillPastPostgres(client: pg.Client, members: number, bets: number): Promise<void> {
  const [day, end] = [dayOf(START), START + DAY_MS];
  const id = `((v - 1)::bigint * ${members} + m)`;
  const versions = Math.ceil(bets / members);
  const firstKept = Math.max(1, versions - Math.ceil(KEPT_KEYS / members) + 1);
  await client.query(`
    insert into games (id, key, kind, name, icon, period_s, close_s, created_at)
      values (1, 'k3-day', '${DEFAULT_KIND}', '"A day"', '', 86400, 3, ${START});
    insert into odds (id, game_id, milli, created_at) values (1, 1, '${JSON.stringify(rulesOf(DEFAULT_KIND).odds)}', ${START});
    insert into rounds (id, game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet) values
      (1, 1, ${day - 1}, 1, '${DIGEST}', 1, ${START}, ${START}, ${START}, 1),
      (${OPEN_ROUND}, 1, ${day}, 1, '${DIGEST}', 1, ${START}, ${end - 3 * SECOND_MS}, ${end}, ${bets + 1});
    insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
      select i, (i - 1) % ${members} + 1, 1, 1, 1, 100, 100, (i - 1) / ${members} + 1, 100, ${START} from generate_series(1, ${bets}) i;
    insert into house_entries (kind, amount, from_id, to_id, created_at)
      select 'bets', 100 * (least(i + ${BETS_A_COMMIT - 1}, ${bets}) - i + 1), i, least(i + ${BETS_A_COMMIT - 1}, ${bets}), ${START}
      from generate_series(1, ${bets}, ${BETS_A_COMMIT}) i;
    insert into journal_index (member_id, version, kind, row_id)
      select m, v, 'bet', ${id} from generate_series(1, ${members}) m cross join lateral generate_series(1, ${versions}) v where ${id} <= ${bets};
    insert into spent_keys (member_id, key, bet_id, request_hash)
      select m, 'key-' || v, ${id}, '' from generate_series(1, ${members}) m cross join lateral generate_series(${firstKept}, ${versions}) v
      where ${id} <= ${bets};
    alter table wallets disable trigger wallets_version;
    update wallets set balance = balance - (${bets} - member_id) / ${members} - 1, version = (${bets} - member_id) / ${members} + 1
      where member_id <= ${Math.min(members, bets)};
    alter table wallets enable trigger wallets_version;
    update rounds set closed_at = ${START}, to_bet = ${bets}, seed = '${DIGEST}', dice = '[1,2,3]', drawn_at = ${START},
      settled_at = ${START}, indexed_at = ${START} where id = 1;
    ${["games", "odds", "rounds", "bets"].map(continueIds).join(";")}`);
  await client.query("vacuum analyze");
}

/** Ids that were written go on by themselves from the last. */
const continueIds = (table: string): string =>
  `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`;
