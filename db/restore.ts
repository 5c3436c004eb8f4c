import { copyFile } from "node:fs/promises";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { BackupDraft } from "./backup-draft.ts";
import { isPostgres } from "./dialect.ts";
import { makeFolder } from "./durable.ts";
import { load, TrialDatabase } from "./postgres/load.ts";
import { beginningOf, isSealed, openSealed, Unopenable } from "./sealed-file.ts";

/** A backup, and what opens it. */
export interface Backup {
  file: string;
  /** Empty for one that is not sealed. */
  secretKeys: readonly string[];
  /** A name in an existing folder: it is opened beside this name, and nothing stays there. */
  scratch: string;
}

/** Works in a database by its address or file. */
type Work<T> = (database: string) => Promise<T>;

const SQLITE = "SQLite format 3\0";
const ARCHIVE = "PGDMP";

/**
 * Restores a backup into a database that is not there yet, or is empty. `work` runs in it before it counts: SQLite's file
 * gets its name after that, PostgreSQL's tables are there. Throws Unwritable or Unopenable, and leaves nothing.
 */
export async function restoreDatabase<T>(backup: Backup, database: string, work: Work<T>): Promise<T> {
  if (isPostgres(database))
    return withPlain(backup, ARCHIVE, async (archive) => {
      await load(archive, database);
      return work(database);
    });
  await makeFolder(dirname(database));
  return inDraft(database, async (draft) => {
    const result = await withPlain(backup, SQLITE, async (copy) => {
      await copyFile(copy, draft.path);
      check(draft.path, backup.file);
      return work(draft.path);
    });
    await draft.finish();
    return result;
  });
}

/** The same in a scratch copy, which goes afterwards. On PostgreSQL it is a database beside `database`. */
export async function withTrialCopy<T>(backup: Backup, database: string, work: Work<T>): Promise<T> {
  if (!isPostgres(database))
    return withPlain(backup, SQLITE, async (copy, draft) => {
      const trial = draft.another();
      await copyFile(copy, trial);
      check(trial, backup.file);
      return work(trial);
    });
  return withPlain(backup, ARCHIVE, async (archive) => {
    const trial = await TrialDatabase.make(database);
    try {
      await load(archive, trial.url);
      return await work(trial.url);
    } finally {
      await trial.drop();
    }
  });
}

/** Opens a backup, if it is sealed, and checks that this engine made it. */
function withPlain<T>(
  { file, secretKeys, scratch }: Backup,
  beginning: string,
  work: (plain: string, draft: BackupDraft) => Promise<T>,
): Promise<T> {
  return inDraft(scratch, async (draft) => {
    const isClosed = await isSealed(file);
    if (isClosed && secretKeys.length === 0) throw new Unopenable(`${file} is sealed: name the key file with --key`);
    if (isClosed) await openSealed(file, draft.path, secretKeys);
    const plain = isClosed ? draft.path : file;
    if ((await beginningOf(plain, beginning.length)) !== beginning) throw new Unopenable(refusal(file, beginning));
    return work(plain, draft);
  });
}

const refusal = (file: string, beginning: string) =>
  beginning === SQLITE
    ? `${file} is no backup of a SQLite; one of PostgreSQL needs DATABASE_URL`
    : `${file} is no backup of a PostgreSQL; one of SQLite is restored without DATABASE_URL`;

async function inDraft<T>(name: string, work: (draft: BackupDraft) => Promise<T>): Promise<T> {
  const draft = await BackupDraft.open(name);
  try {
    return await work(draft);
  } finally {
    await draft.close();
  }
}

/** Throws Unopenable for a damaged file, or one that no site made. */
function check(copy: string, name: string): void {
  const raw = new Sqlite(copy, { fileMustExist: true });
  try {
    raw.pragma("journal_mode = MEMORY");
    const found = raw.pragma("quick_check", { simple: true });
    const site = raw.prepare("select 1 from sqlite_master where name = 'meta'").get();
    if (found !== "ok" || !site) throw new Error(site ? String(found) : "it holds no site");
  } catch (error) {
    throw new Unopenable(`${name} is damaged: ${(error as Error).message}`, { cause: error });
  } finally {
    raw.close();
  }
}
