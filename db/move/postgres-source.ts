import { lastMigration } from "#db/postgres/migrate.ts";
import { MARK, listTables, readColumns, type MovedTable } from "./tables.ts";
import { connectPostgres, isMarked, sequenceOf, tallyPostgres, type Client } from "./postgres-client.ts";
import { PAGE, type Source } from "./sides.ts";
import { compareTallies, type Tally } from "./tally.ts";
import { Unmovable } from "./unmovable.ts";
import { valuesOf, type Row } from "./values.ts";
import { checkVersion } from "./unmovable.ts";

const SNAPSHOT = "begin isolation level repeatable read read only";

/** Reads a site from PostgreSQL, in one read-only transaction. */
export async function openPostgresSource(address: { url: string; name: string }): Promise<Source> {
  const client = await connectPostgres(address);
  const close = () => client.end().catch(() => {});
  try {
    await refuseServed(client, address.name);
    await client.query(SNAPSHOT);
    checkVersion("postgres", address.name, await lastMigration(client));
    if (await isMarked(client, MARK))
      throw new Unmovable(`${address.name} is itself the unfinished copy of an interrupted move.`);
  } catch (error) {
    await close();
    throw error;
  }
  const before = await momentOf(client);
  const tallies = new Map<string, Tally>();
  return {
    close,
    pages: (table) => pagesOf(client, table),
    lastGiven: (table) => lastGiven(client, table),
    async tally(table) {
      const tally = await tallyPostgres(client, table);
      tallies.set(table.name, tally);
      return tally;
    },
    async hasChanged() {
      await client.query("rollback");
      await refuseServed(client, address.name);
      await client.query(SNAPSHOT);
      if ((await momentOf(client)) === before) return false;
      // Another database on the server changes that number too, so all tables are counted and summed again.
      for (const table of listTables()) {
        const known = tallies.get(table.name);
        if (known && compareTallies(table, known, await tallyPostgres(client, table)).length) return true;
      }
      return false;
    },
  };
}

/** Every server has a connection that listens (db/postgres/outbox-reader.ts). */
async function refuseServed(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'trio listens'",
  );
  if (rowCount) throw new Unmovable(`A server is running on ${name}: stop it, then move again.`);
}

async function momentOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ moment: string }>("select pg_current_snapshot()::text as moment");
  return rows[0]!.moment;
}

async function* pagesOf(client: Client, table: MovedTable): AsyncGenerator<Row[]> {
  const key = table.key.map((name) => `"${name}"`).join(", ");
  const query = `select ${readColumns(table)} from "${table.name}" where ${table.where} order by ${key}`;
  await client.query(`declare page no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${PAGE} from page`, rowMode: "array" });
    if (rows.length) yield rows.map((row) => valuesOf(table, row));
    if (rows.length < PAGE) break;
  }
  await client.query("close page");
}

async function lastGiven(client: Client, table: MovedTable): Promise<number> {
  const sequence = await sequenceOf(client, table);
  if (!sequence) return 0;
  const { rows } = await client.query<{ last: number }>(
    `select case when is_called then last_value else 0 end as last from ${sequence}`,
  );
  return rows[0]!.last;
}
