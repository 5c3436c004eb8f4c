import { randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync } from "node:fs";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Db } from "./db.ts";
import { syncFile, syncFolder, takeFreeName } from "./durable.ts";

/**
 * Copies the database into `file`. The file appears whole or not at all, and is durable once this resolves. SQLite's copy
 * is checked and gets a new epoch, which tells clients that versions may have gone back. pg_dump's archive gets its epoch
 * when it is restored (`restored`). Throws Unwritable when `file` cannot be written.
 */
export async function backUp(db: Db, file: string, epoch: string): Promise<void> {
  const draft = await BackupDraft.open(file);
  try {
    await db.backup(draft.path);
    if (db.engine === "sqlite") complete(draft.path, epoch);
    await draft.finish();
  } finally {
    await draft.close();
  }
}

function complete(file: string, epoch: string): void {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    // No journal file beside it: a draft that a crash spoils is thrown away.
    copy.pragma("journal_mode = MEMORY");
    copy.prepare("update meta set value = ? where name = 'epoch'").run(epoch);
    const found = copy.pragma("quick_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
}

const LOCK = "lock";
/** The files that a backup puts into its folder. */
const DRAFT_FILES = /^(lock|copy-[0-9a-f]{12})(-(journal|wal|shm))?$/;

/** A backup cannot be written there. The message says why. */
class Unwritable extends Error {
  override name = "Unwritable";
}

/**
 * An unfinished backup, in the folder `FILE.part` under a name of its own. Only the owner may read it. A lock on the
 * folder lasts as long as its process, so leftovers of a killed process are recognised.
 */
class BackupDraft {
  /** An empty file for the copy. */
  readonly path: string;
  readonly #file: string;
  readonly #lock: Sqlite.Database;

  private constructor(file: string, lock: Sqlite.Database) {
    this.#file = file;
    this.#lock = lock;
    this.path = join(folderOf(file), `copy-${randomBytes(6).toString("hex")}`);
  }

  /** Throws Unwritable when the name is taken, or another process is writing a backup of this name. */
  static async open(file: string): Promise<BackupDraft> {
    for (const end of ["", "-wal", "-shm", "-journal"])
      if (lstatSync(file + end, { throwIfNoEntry: false })) throw taken(file + end);
    const folder = folderOf(file);
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await refuseForeign(folder);
    const draft = new BackupDraft(file, takeLock(file));
    await draft.#sweep();
    // It will hold password hashes: only the owner may read it, from its first byte.
    closeSync(openSync(draft.path, "wx", 0o600));
    return draft;
  }

  /** Gives the backup its final name, durably. Throws Unwritable if the name was taken meanwhile. */
  async finish(): Promise<void> {
    await syncFile(this.path);
    await takeFreeName(this.path, this.#file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? taken(this.#file) : error;
    });
    await syncFolder(dirname(this.#file));
  }

  /** Removes the folder. The lock goes last, so its next owner finds no file that is still being written. */
  async close(): Promise<void> {
    const folder = folderOf(this.#file);
    await this.#sweep();
    await rm(join(folder, LOCK), { force: true });
    // Another backup may have begun there by now.
    await rmdir(folder).catch(() => {});
    this.#lock.close();
  }

  /** Removes every copy. Only the owner of the lock may do this. */
  async #sweep(): Promise<void> {
    const folder = folderOf(this.#file);
    for (const name of await readdir(folder)) if (name !== LOCK) await rm(join(folder, name), { force: true });
  }
}

const folderOf = (file: string) => `${file}.part`;
const taken = (file: string) => new Unwritable(`${file} exists already`);

/** Throws Unwritable for a folder that no backup made. */
async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOTDIR" ? inTheWay(folder) : error;
  });
  if (!names.every((name) => DRAFT_FILES.test(name))) throw inTheWay(folder);
}

const inTheWay = (folder: string) =>
  new Unwritable(`${folder} is in the way, and no backup left it there: remove it first`);

/** SQLite's own lock on a file: the system releases it when a process is killed. */
function takeLock(file: string): Sqlite.Database {
  const lock = new Sqlite(join(folderOf(file), LOCK), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    const isLocked = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
    throw isLocked ? new Unwritable(`another backup is writing ${basename(file)}`) : error;
  }
}
