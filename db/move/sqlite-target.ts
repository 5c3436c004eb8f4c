import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3";
import { makeFolder, syncFile, syncFolder } from "#db/durable.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { openSqlite } from "#db/sqlite/open.ts";
import { MARK } from "./tables.ts";
import type { TableWriter, Target } from "./sides.ts";
import type { Kind, MovedTable } from "./tables.ts";
import { tallySqlite } from "./tally-sqlite.ts";
import { Unmovable } from "./unmovable.ts";
import type { Row, Value } from "./values.ts";

/**
 * Writes a site into a new file. Until it is finished it lies in the folder `FILE.part`, under the name that the
 * operator's commands expect. Only the owner may read it.
 */
export async function openSqliteTarget(file: string): Promise<Target> {
  refuseTaken(file);
  const folder = `${file}.part`;
  const draft = join(folder, "trio.db");
  sweep(folder, draft);
  const raw = await open(draft);
  return {
    async fill(epoch, work) {
      const guards = dropTriggers(raw);
      raw.prepare("insert into meta (name, value) values ('epoch', ?)").run(epoch);
      await work(writerOf(raw));
      for (const sql of guards) raw.exec(sql);
    },
    tally: async (table) => tallySqlite(raw, table),
    async release() {
      raw.pragma("wal_checkpoint(TRUNCATE)");
      raw.pragma("locking_mode = NORMAL");
      raw.prepare("select 1 from meta").get();
      return { DATABASE_URL: "", DATA_DIR: folder };
    },
    async finish() {
      raw.prepare("delete from meta where name = ?").run(MARK);
      raw.pragma("journal_mode = DELETE");
      raw.close();
      await syncFile(draft);
      refuseTaken(file);
      renameSync(draft, file);
      await syncFolder(dirname(file));
      rmSync(folder, { recursive: true });
    },
    close: async () => void raw.close(),
  };
}

function refuseTaken(file: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"])
    if (existsSync(file + end)) throw new Unmovable(`${file}${end} exists already: move it out of the way first.`);
}

/** Removes the leftovers of a move that broke off, unless it still runs. */
function sweep(folder: string, draft: string): void {
  if (!existsSync(folder)) return;
  if (readdirSync(folder).some((name) => !name.startsWith(basename(draft)) && name !== "files"))
    throw new Unmovable(`${folder} is in the way, and no interrupted move left it there. Remove it first.`);
  if (existsSync(draft) && isLocked(draft)) throw new Unmovable(`Another move is writing ${draft}.`);
  rmSync(folder, { recursive: true });
}

function isLocked(draft: string): boolean {
  try {
    openSqlite(draft).close();
    return false;
  } catch (error) {
    return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
  }
}

async function open(draft: string): Promise<Sqlite.Database> {
  await makeFolder(dirname(draft));
  closeSync(openSync(draft, "wx", 0o600));
  await migrateDatabase(draft);
  const raw = openSqlite(draft);
  // A crash spoils only the draft. It is synced at the end, before it gets its name.
  raw.pragma("synchronous = OFF");
  raw.pragma("locking_mode = EXCLUSIVE");
  raw.prepare("insert into meta (name, value) values (?, ?)").run(MARK, new Date().toISOString());
  return raw;
}

/** Drops all triggers. Returns the SQL that creates them again. */
function dropTriggers(raw: Sqlite.Database): string[] {
  const triggers = raw.prepare<[], { name: string; sql: string }>(
    "select name, sql from sqlite_master where type = 'trigger' order by rowid",
  );
  return triggers.all().map(({ name, sql }) => {
    raw.exec(`drop trigger "${name}"`);
    return sql;
  });
}

function writerOf(raw: Sqlite.Database): TableWriter {
  return {
    async write(table, rows) {
      const insert = raw.prepare(insertInto(table));
      raw.transaction((all: Row[]) => {
        for (const row of all) insert.run(row.map((value, i) => boundValue(value, table.columns[i]!.kind)));
      })(rows);
    },
    async numberAbove({ name }, lastGiven) {
      const { changes } = raw
        .prepare("update sqlite_sequence set seq = max(seq, ?) where name = ?")
        .run(lastGiven, name);
      const counts = raw.prepare("select sql like '% AUTOINCREMENT %' from sqlite_master where name = ?").pluck();
      if (!changes && counts.get(name)) raw.prepare("insert into sqlite_sequence values (?, ?)").run(name, lastGiven);
    },
  };
}

function insertInto({ name, columns }: MovedTable): string {
  const names = columns.map((column) => `"${column.name}"`);
  return `insert into "${name}" (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
}

function boundValue(value: Value, kind: Kind) {
  if (value === null) return null;
  if (kind === "wide") return BigInt(value);
  if (kind === "bytes") return Buffer.from(value as string, "hex");
  return typeof value === "boolean" ? Number(value) : value;
}
