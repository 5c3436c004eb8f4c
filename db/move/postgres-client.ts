import pg from "pg";
import type { MovedTable } from "./tables.ts";
import { tallyQuery, type Sums, type Tally } from "./tally.ts";
import { Unmovable } from "./unmovable.ts";

export type Client = pg.Client;

const CONNECT_MS = 10_000;

/** Unsafe integers pass, and are refused later with their column's name. JSON stays text. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.JSON]: String,
};

/** Opens one connection without time limits, since a large site takes long. */
export async function connectPostgres({ url, name }: { url: string; name: string }): Promise<Client> {
  const types = { getTypeParser: (oid: number) => PARSERS[oid] ?? pg.types.getTypeParser(oid) };
  const client = new pg.Client({
    connectionString: url,
    application_name: "trio move",
    connectionTimeoutMillis: CONNECT_MS,
    types,
  });
  // When the connection breaks, its query rejects by itself.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(
      "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '10s'",
    );
    await checkServer(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error instanceof Unmovable ? error : new Unmovable(`${name}: ${reasonOf(error)}.`);
  }
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0]!;
  if (Number(version) < 150_000) throw new Error("PostgreSQL 15 or newer is needed");
  if (encoding !== "UTF8") throw new Error(`its encoding is ${encoding}, not UTF8`);
}

/** A host with two addresses fails with one error for each, and no message of its own. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || code || "it does not answer";
}

const SUMS: Sums = {
  number: (column) => `coalesce(sum(${column}), 0)::text`,
  wide: (column) => `coalesce(sum(${column}), 0)::text`,
  boolean: (column) => `(count(*) filter (where ${column}))::text`,
  text: (column) => `coalesce(sum(char_length(${column})), 0)::text`,
  bytes: (column) => `coalesce(sum(length(${column})), 0)::text`,
  json: (column) => `coalesce(sum(char_length(${column}::text)), 0)::text`,
};

export async function tallyPostgres(client: Client, table: MovedTable): Promise<Tally> {
  const { rows } = await client.query<Record<string, string>>(tallyQuery(table, SUMS));
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, sum]) => [name, BigInt(sum)]));
}

/** Whether it is the unfinished copy of a move. */
export async function isMarked(client: Client, mark: string): Promise<boolean> {
  const { rowCount } = await client.query("select 1 from meta where name = $1", [mark]);
  return rowCount === 1;
}

/** The sequence that numbers a table's rows; null if they have no number. */
export async function sequenceOf(client: Client, { name, key }: MovedTable): Promise<string | null> {
  if (key.length > 1) return null;
  const { rows } = await client.query<{ name: string | null }>("select pg_get_serial_sequence($1, $2) as name", [
    name,
    key[0],
  ]);
  return rows[0]!.name;
}
