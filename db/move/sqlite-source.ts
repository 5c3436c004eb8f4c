import { statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { openSqlite } from "#db/sqlite/open.ts";
import { MARK, readColumns, type MovedTable } from "./tables.ts";
import { PAGE, type Source } from "./sides.ts";
import { tallySqlite } from "./tally-sqlite.ts";
import { valuesOf, type Row } from "./values.ts";
import { Unmovable } from "./unmovable.ts";
import { checkVersion } from "./unmovable.ts";

/** Reads a site from its SQLite file, in one read transaction. */
export function openSqliteSource(file: string): Source {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Unmovable(`There is no file ${file}.`);
  const raw = openSnapshot(file);
  const version = raw.prepare("pragma data_version").pluck();
  const before = version.get();
  return {
    pages: (table) => pagesOf(raw, table),
    tally: async (table) => tallySqlite(raw, table),
    lastGiven: async ({ name }) =>
      (raw.prepare("select seq from sqlite_sequence where name = ?").pluck().get(name) as number | undefined) ?? 0,
    async hasChanged() {
      // Within the transaction the number does not change.
      if (raw.inTransaction) raw.exec("rollback");
      return version.get() !== before;
    },
    close: async () => void raw.close(),
  };
}

function openSnapshot(file: string): Sqlite.Database {
  let raw: Sqlite.Database | undefined;
  try {
    raw = openSqlite(file, { readonly: true });
    raw.exec("begin");
    checkSite(raw, file);
    return raw;
  } catch (error) {
    raw?.close();
    const isForeign = error instanceof Sqlite.SqliteError && error.code === "SQLITE_NOTADB";
    throw isForeign ? new Unmovable(`${file} is not a SQLite database.`) : error;
  }
}

function checkSite(raw: Sqlite.Database, file: string): void {
  const has = raw.prepare("select count(*) from sqlite_master where name = '__drizzle_migrations'").pluck().get();
  const last = has ? raw.prepare("select max(created_at) from __drizzle_migrations").pluck().get() : null;
  checkVersion("sqlite", file, last as number | null);
  if (raw.prepare("select 1 from meta where name = ?").get(MARK))
    throw new Unmovable(`${file} is itself the unfinished copy of an interrupted move.`);
}

async function* pagesOf(raw: Sqlite.Database, table: MovedTable): AsyncGenerator<Row[]> {
  const key = table.key.map((name) => `"${name}"`).join(", ");
  const query = `select ${readColumns(table)} from "${table.name}" where ${table.where} order by ${key}`;
  let page: Row[] = [];
  for (const row of raw.prepare<[], unknown[]>(query).raw().iterate()) {
    page.push(valuesOf(table, row));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length) yield page;
}
