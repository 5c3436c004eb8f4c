import { statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { lastMigrationOf } from "#db/migrate.ts";
import { MARK, readColumns, type MovedTable } from "./tables.ts";
import { PAGE, type Source } from "./sides.ts";
import { tallySqlite } from "./tally-sqlite.ts";
import { valuesOf, type Row } from "./values.ts";
import { Unmovable } from "./unmovable.ts";
import { checkVersion } from "./unmovable.ts";

/** Reads a site from its SQLite file, which nobody else can open meanwhile. */
export function openSqliteSource(file: string): Source {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Unmovable(`There is no file ${file}.`);
  const raw = openAlone(file);
  return {
    pages: (table) => pagesOf(raw, table),
    tally: async (table) => tallySqlite(raw, table),
    lastGiven: async ({ name }) =>
      (raw.prepare("select seq from sqlite_sequence where name = ?").pluck().get(name) as number | undefined) ?? 0,
    // Nobody else gets in before `close`.
    hasChanged: async () => false,
    close: async () => void raw.close(),
  };
}

/**
 * A quiet server commits so rarely that a move fits in between. So the file is taken alone: with this locking mode the
 * first read of a WAL fails while any other connection has the file open, and no other gets in before this one closes.
 */
function openAlone(file: string): Sqlite.Database {
  // Only a connection that could write may lock the file.
  const raw = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    raw.pragma("locking_mode = EXCLUSIVE");
    raw.pragma("query_only = ON");
    checkSite(raw, file);
    return raw;
  } catch (error) {
    raw.close();
    throw refusalOf(error, file) ?? error;
  }
}

function refusalOf(error: unknown, file: string): Unmovable | null {
  const code = error instanceof Sqlite.SqliteError ? error.code : "";
  if (code === "SQLITE_NOTADB") return new Unmovable(`${file} is not a SQLite database.`);
  if (code.startsWith("SQLITE_BUSY"))
    return new Unmovable(`A server is running on ${file}, or a command: stop it, then move again.`);
  return null;
}

function checkSite(raw: Sqlite.Database, file: string): void {
  checkVersion("sqlite", file, lastMigrationOf(raw));
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
