import { migrateDatabase } from "#db/migrate.ts";
import { lastMigration } from "#db/postgres/migrate.ts";
import { MARK, listTables, type Kind, type MovedTable } from "./tables.ts";
import { connectPostgres, isMarked, reasonOf, sequenceOf, tallyPostgres } from "./postgres-client.ts";
import type { Client } from "./postgres-client.ts";
import type { TableWriter, Target } from "./sides.ts";
import { Unmovable } from "./unmovable.ts";
import type { Row } from "./values.ts";

interface Place {
  url: string;
  name: string;
}

/** Writes a site into an empty PostgreSQL, and migrates it first. */
export async function openPostgresTarget({ url, name }: Place): Promise<Target> {
  const client = await connectPostgres({ url, name });
  const close = () => client.end().catch(() => {});
  try {
    await prepare(client, { url, name });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    fill: (epoch, work) => fill(client, epoch, work),
    tally: (table) => tallyPostgres(client, table),
    release: async () => ({ DATABASE_URL: url }),
    finish: async () => void (await client.query("delete from meta where name = $1", [MARK])),
  };
}

async function prepare(client: Client, { url, name }: Place): Promise<void> {
  const { rows } = await client.query("select pg_try_advisory_lock(7247, 4) as ours");
  if (!(rows[0] as { ours: boolean }).ours) throw new Unmovable(`Another move is writing ${name}.`);
  if ((await lastMigration(client)) === null) {
    const { rowCount } = await client.query("select 1 from pg_tables where schemaname = current_schema() limit 1");
    if (rowCount) throw new Unmovable(`${name} holds tables of another program. Move into an empty database.`);
  }
  await migrateDatabase(url);
  if (await isMarked(client, MARK)) return;
  for (const table of listTables()) {
    const { rowCount } = await client.query(`select 1 from "${table.name}" limit 1`);
    if (rowCount) throw new Unmovable(`${name} is not empty: there are rows in ${table.name}.`);
  }
  await client.query("insert into meta (name, value) values ($1, $2)", [MARK, new Date().toISOString()]);
}

/** All in one transaction: a move that breaks off leaves only the mark behind. */
async function fill(client: Client, epoch: string, work: (pen: TableWriter) => Promise<void>): Promise<void> {
  const names = listTables().map(({ name }) => `"${name}"`);
  await client.query("begin");
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(", ")} restart identity`);
  const own = [MARK, new Date().toISOString(), "epoch", epoch];
  await client.query("insert into meta (name, value) values ($1, $2), ($3, $4)", own);
  await work(writerOf(client));
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  await client.query("commit");
  await client.query("analyze");
}

const COLUMN: Record<Kind, string> = {
  number: "bigint",
  wide: "bigint",
  boolean: "boolean",
  text: "text",
  bytes: "text",
  json: "text",
};

const CAST: Partial<Record<Kind, (name: string) => string>> = {
  json: (name) => `"${name}"::json`,
  bytes: (name) => `decode("${name}", 'hex')`,
};

const writerOf = (client: Client): TableWriter => ({
  async write(table, rows) {
    try {
      await client.query(insertInto(table), [JSON.stringify(rows.map((row) => named(table, row)))]);
    } catch (error) {
      throw new Unmovable(`PostgreSQL refuses rows of ${table.name}: ${reasonOf(error)}.`);
    }
  },
  async numberAbove(table, lastGiven) {
    const sequence = await sequenceOf(client, table);
    if (!sequence) return;
    const { rows } = await client.query<{ last: number }>(
      `select greatest(max("${table.key[0]}"), $1::bigint) as last from "${table.name}"`,
      [lastGiven],
    );
    if (rows[0]!.last > 0) await client.query("select setval($1, $2::bigint)", [sequence, rows[0]!.last]);
  },
});

/** Takes a page of rows as one JSON text, so every table needs one statement. */
function insertInto({ name, columns }: MovedTable): string {
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const cast = columns.map(({ name, kind }) => CAST[kind]?.(name) ?? `"${name}"`).join(", ");
  const typed = columns.map((column) => `"${column.name}" ${COLUMN[column.kind]}`).join(", ");
  return `insert into "${name}" (${names}) select ${cast} from json_to_recordset($1::json) as page (${typed})`;
}

const named = ({ columns }: MovedTable, row: Row) =>
  Object.fromEntries(columns.map((column, i) => [column.name, row[i]]));
