import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3";

const LOCK = "lock";
/** The lock, copies, and what SQLite puts beside each. */
const OURS = /^(lock|copy-[0-9a-f]{12})(-(journal|wal|shm))?$/;
/** How often a folder is entered that goes meanwhile. Where it does not go, its lock cannot be opened. */
const MOST_TRIES = 1_000;
/** A file that somebody else makes while its folder is removed is removed, too. */
const RETRIES = { maxRetries: 10, retryDelay: 20 };

/** The file cannot be written there. The message says why. */
export class Unwritable extends Error {
  override name = "Unwritable";
}

/** The file is there already, or another process is writing it. */
export class Taken extends Unwritable {
  override name = "Taken";
}

/**
 * The folder `FILE.part`, in which the copies lie that become a file once they are finished. Only the owner may read them.
 * A lock on the folder lasts as long as its process, so leftovers of a killed one are recognised; and no copy has the
 * name of an earlier one, which a program that the killed one started may still have open.
 */
export class PartFolder {
  readonly #file: string;
  readonly #lock: Sqlite.Database;

  private constructor(file: string, lock: Sqlite.Database) {
    this.#file = file;
    this.#lock = lock;
  }

  /**
   * Enters the folder for `maker`, such as "backup", and clears what a killed process left there. Throws Taken while
   * another process has it, and Unwritable when something else lies there.
   */
  static async enter(file: string, maker: string): Promise<PartFolder> {
    // Whoever leaves it removes it, perhaps while this one enters it.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const part = await PartFolder.tryToEnter(file, maker);
      if (!part) continue;
      await part.#sweep();
      return part;
    }
    throw new Unwritable(`${folderOf(file)} cannot be locked: remove it first`);
  }

  /** Enters it as it is, without a second try. Null if the folder was removed meanwhile. */
  static async tryToEnter(file: string, maker: string): Promise<PartFolder | null> {
    const folder = folderOf(file);
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    try {
      await refuseForeign(folder, maker);
      const lock = takeLock(file, maker);
      return lock && new PartFolder(file, lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** A path in the folder at which nothing ever lay. */
  newCopy(): string {
    return join(folderOf(this.#file), `copy-${randomBytes(6).toString("hex")}`);
  }

  /** Removes the folder. The lock goes last, so its next owner finds no file that is still being written. */
  async close(): Promise<void> {
    const folder = folderOf(this.#file);
    await this.#sweep();
    await rm(join(folder, LOCK), { force: true });
    // Another process may have begun there by now.
    await rmdir(folder).catch(() => {});
    this.#lock.close();
  }

  /** Removes every copy. Only the owner of the lock may do this. */
  async #sweep(): Promise<void> {
    const folder = folderOf(this.#file);
    for (const name of await readdir(folder))
      if (name !== LOCK && OURS.test(name)) await rm(join(folder, name), { recursive: true, force: true, ...RETRIES });
  }
}

const folderOf = (file: string) => `${file}.part`;

/** Throws Unwritable for a folder that nothing of ours made. */
async function refuseForeign(folder: string, maker: string): Promise<void> {
  const inTheWay = () => new Unwritable(`${folder} is in the way, and no ${maker} left it there: remove it first`);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOTDIR" ? inTheWay() : error;
  });
  if (!names.every((name) => OURS.test(name))) throw inTheWay();
}

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

/** Null if the folder was removed meanwhile. Throws Taken if another process has the lock. */
function takeLock(file: string, maker: string): Sqlite.Database | null {
  const path = join(folderOf(file), LOCK);
  const lock = lockOn(path);
  if (lock === "taken") throw new Taken(`another ${maker} is writing ${basename(file)}`);
  if (!lock) return null;
  // Its last owner may have removed the file just before this process had it: then the one that lies there is free.
  const other = lockOn(path);
  if (other === "taken") return lock;
  other?.close();
  lock.close();
  return null;
}
