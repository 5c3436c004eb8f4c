import { closeSync, existsSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type Sqlite from "better-sqlite3";
import { makeFolder, syncFile, syncFolder, takeFreeName } from "#db/durable.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { PartFolder, Unwritable } from "#db/part-folder.ts";
import { openSqlite } from "#db/sqlite/open.ts";
import { MARK } from "./tables.ts";
import type { TableWriter, Target } from "./sides.ts";
import type { Kind, MovedTable } from "./tables.ts";
import { tallySqlite } from "./tally-sqlite.ts";
import { Unmovable } from "./unmovable.ts";
import type { Row, Value } from "./values.ts";

/**
 * Writes a site into a new file. Until it is finished it lies in a folder of its own in `FILE.part`, under the name that
 * the operator's commands expect. Only the owner may read it.
 */
export async function openSqliteTarget(file: string): Promise<Target> {
  refuseTaken(file);
  await makeFolder(dirname(file));
  const part = await enter(file);
  const folder = part.newCopy();
  const draft = join(folder, "trio.db");
  const raw = await open(draft).catch(async (error: unknown) => {
    await part.close();
    throw error;
  });
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
      await giveName(draft, file);
    },
    async close() {
      raw.close();
      await part.close();
    },
  };
}

function refuseTaken(file: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) if (existsSync(file + end)) throw taken(file + end);
}

/** Gives a finished copy its name, durably. */
async function giveName(draft: string, file: string): Promise<void> {
  await syncFile(draft);
  refuseTaken(file);
  await takeFreeName(draft, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? taken(file) : error;
  });
  await syncFolder(dirname(file));
}

const taken = (file: string) => new Unmovable(`${file} exists already: move it out of the way first.`);

/** Clears what a killed move left. */
async function enter(file: string): Promise<PartFolder> {
  try {
    return await PartFolder.enter(file, "move");
  } catch (error) {
    throw error instanceof Unwritable ? new Unmovable(`The copy cannot be written: ${error.message}.`) : error;
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
