import { closeSync, lstatSync, openSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3";
import { syncFile, syncFolder, takeFreeName } from "./durable.ts";

const LOCK = "lock";
/** What a backup puts into its folder. */
const OURS = /^(lock|copy-[0-9a-f]{12})(-(journal|wal|shm))?$/;

/** A backup cannot be written there; the message says why. */
export class Unwritable extends Error {
  override name = "Unwritable";
}

/**
 * A backup until it is finished. It lies in the folder `FILE.part`, under a name of its own, and nobody but the owner may
 * read it. The folder is locked while its process lives, so that what a killed one left is told from what is being
 * written.
 */
export class BackupDraft {
  /** An empty file, to be filled. */
  readonly path: string;
  readonly #file: string;
  readonly #lock: Sqlite.Database;

  private constructor(file: string, lock: Sqlite.Database, name: string) {
    this.#file = file;
    this.#lock = lock;
    this.path = join(folderOf(file), name);
  }

  /** Throws Unwritable when the name is taken, or another process is writing a backup of this name. */
  static async open(file: string): Promise<BackupDraft> {
    for (const end of ["", "-wal", "-shm", "-journal"])
      if (lstatSync(file + end, { throwIfNoEntry: false })) throw taken(file + end);
    const folder = folderOf(file);
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const names = await namesIn(folder);
    const lock = takeLock(file);
    for (const name of names) if (name !== LOCK) await rm(join(folder, name), { force: true });
    const draft = new BackupDraft(file, lock, `copy-${randomBytes(6).toString("hex")}`);
    // Password hashes are in it: only the owner reads it, from its first byte on.
    closeSync(openSync(draft.path, "wx", 0o600));
    return draft;
  }

  /** Gives it its final name, durably. Throws Unwritable when somebody has taken the name meanwhile. */
  async finish(): Promise<void> {
    await syncFile(this.path);
    await takeFreeName(this.path, this.#file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? taken(this.#file) : error;
    });
    await syncFolder(dirname(this.#file));
  }

  /** Removes what is left of it. */
  async close(): Promise<void> {
    await rm(folderOf(this.#file), { recursive: true, force: true });
    this.#lock.close();
  }
}

const folderOf = (file: string) => `${file}.part`;
const taken = (file: string) => new Unwritable(`${file} exists already`);

/** Refuses a folder that no backup made. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOTDIR" ? inTheWay(folder) : error;
  });
  if (names.every((name) => OURS.test(name))) return names;
  throw inTheWay(folder);
}

const inTheWay = (folder: string) => new Unwritable(`${folder} is in the way, and no backup left it there`);

/** SQLite's own lock on a file: the system takes it back from a process that was killed. */
function takeLock(file: string): Sqlite.Database {
  const lock = new Sqlite(join(folderOf(file), LOCK), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    const isHeld = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
    throw isHeld ? new Unwritable(`another backup is writing ${basename(file)} at this moment`) : error;
  }
}
