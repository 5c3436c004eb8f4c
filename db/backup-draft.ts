import { randomBytes } from "node:crypto";
import { closeSync, existsSync, lstatSync, openSync } from "node:fs";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3";
import { syncFile, syncFolder, takeFreeName } from "./durable.ts";

const LOCK = "lock";
/** How often a folder is entered that goes meanwhile. Where it does not go, its lock cannot be opened. */
const MOST_TRIES = 1_000;
/** The files that a backup puts into its folder. */
const DRAFT_FILES = /^(lock|copy-[0-9a-f]{12})(-(journal|wal|shm))?$/;

/** The file cannot be written there. The message says why. */
export class Unwritable extends Error {
  override name = "Unwritable";
}

/** The file is there already, or another process is writing it. */
export class Taken extends Unwritable {
  override name = "Taken";
}

/**
 * An unfinished file, a backup or what is restored from one, in the folder `FILE.part` under a name of its own. Only the owner may read it. A lock on the
 * folder lasts as long as its process, so leftovers of a killed process are recognised.
 */
export class BackupDraft {
  /** An empty file for the copy. */
  readonly path: string;
  readonly #file: string;
  readonly #lock: Sqlite.Database;

  private constructor(file: string, lock: Sqlite.Database) {
    this.#file = file;
    this.#lock = lock;
    this.path = copyIn(file);
  }

  /** Throws Unwritable when the name is taken, or another process is writing a backup of this name. */
  static async open(file: string): Promise<BackupDraft> {
    // A backup that ends removes the folder, perhaps while this one enters it.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const lock = await enter(file);
      if (lock) return BackupDraft.#begin(file, lock);
    }
    throw new Unwritable(`${folderOf(file)} cannot be locked: remove it first`);
  }

  /** Removes what a killed process left of a file. One that is being written stays. */
  static async clear(file: string): Promise<void> {
    try {
      const lock = await enter(file, true);
      if (lock) await new BackupDraft(file, lock).close();
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error;
    }
  }

  static async #begin(file: string, lock: Sqlite.Database): Promise<BackupDraft> {
    const draft = new BackupDraft(file, lock);
    await draft.#sweep();
    lay(draft.path);
    return draft;
  }

  /** Another empty file beside the draft, which goes when the draft is closed. */
  another(): string {
    const path = copyIn(this.#file);
    lay(path);
    return path;
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
const copyIn = (file: string) => join(folderOf(file), `copy-${randomBytes(6).toString("hex")}`);

/** Makes an empty file. It will hold password hashes: only the owner may read it, from its first byte. */
const lay = (path: string) => closeSync(openSync(path, "wx", 0o600));

const taken = (file: string) => new Taken(`${file} exists already`);

/** Locks the folder for a backup of that name, and makes it if need be. Null if it was removed meanwhile: try again. */
async function enter(file: string, mayExist = false): Promise<Sqlite.Database | null> {
  for (const end of mayExist ? [] : ["", "-wal", "-shm", "-journal"])
    if (lstatSync(file + end, { throwIfNoEntry: false })) throw taken(file + end);
  const folder = folderOf(file);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  try {
    await refuseForeign(folder);
    return takeLock(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Throws Unwritable for a folder that no backup made. */
async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOTDIR" ? inTheWay(folder) : error;
  });
  if (!names.every((name) => DRAFT_FILES.test(name))) throw inTheWay(folder);
}

const inTheWay = (folder: string) =>
  new Unwritable(`${folder} is in the way, and no backup left it there: remove it first`);

/** SQLite's own lock on a file: the system releases it when a process is killed. Null if the file is not there. */
function lockOn(path: string): Sqlite.Database | "taken" | null {
  let lock: Sqlite.Database | undefined;
  try {
    lock = new Sqlite(path, { timeout: 0 });
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock?.close();
    const code = error instanceof Sqlite.SqliteError ? error.code : "";
    if (code.startsWith("SQLITE_BUSY")) return "taken";
    if (code.startsWith("SQLITE_CANTOPEN") || !existsSync(dirname(path))) return null;
    throw error;
  }
}

/** Null if the folder was removed meanwhile. Throws Unwritable if another backup has the lock. */
function takeLock(file: string): Sqlite.Database | null {
  const path = join(folderOf(file), LOCK);
  const lock = lockOn(path);
  if (lock === "taken") throw new Taken(`another backup is writing ${basename(file)}`);
  if (!lock) return null;
  // Its last owner may have removed the file just before this process had it: then the one that lies there is free.
  const other = lockOn(path);
  if (other === "taken") return lock;
  other?.close();
  lock.close();
  return null;
}
