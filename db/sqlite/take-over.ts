import type Sqlite from "better-sqlite3";
import { immediately, openSqlite } from "./open.ts";
import { isReadable, checkIntegrity, isDamage } from "./disk-errors.ts";

/** The file itself is damaged, and its disk reads every byte of it. */
export class Damaged extends Error {
  override name = "Damaged";
}

/**
 * Opens a database for writing. It returns once a write was committed, and all that a recovery found in the WAL is
 * synced into the file: it may have been read from memory, after a sync that failed, and a later sync
 * would not write it again. `isDoubted`: somebody read damage, so the whole file is checked.
 */
export function takeOver(file: string, isDoubted: boolean): Sqlite.Database {
  if (isDoubted) check(file);
  const raw = openSqlite(file);
  try {
    raw.pragma("busy_timeout = 1000");
    // A long reader elsewhere may keep it from being emptied; then nothing was recovered either.
    raw.pragma("wal_checkpoint(TRUNCATE)");
    probe(raw);
    return raw;
  } catch (error) {
    closeQuietly(raw);
    throw error;
  }
}

/** Throws Damaged when the file is, and SQLITE_IOERR_READ when it is the disk that made it look so. */
export function check(file: string): void {
  try {
    checkIntegrity(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (!isReadable(file)) throw Object.assign(new Error("the disk does not read the database"), { code: UNREADABLE });
    confirm(file);
  }
}

const UNREADABLE = "SQLITE_IOERR_READ";

/** Once more, now that the disk has given every byte. */
function confirm(file: string): void {
  try {
    checkIntegrity(file);
  } catch (error) {
    throw isDamage(error) ? new Damaged("the database is damaged: restore a backup", { cause: error }) : error;
  }
}

/** Commits a tiny write, and leaves nothing behind. */
export function probe(raw: Sqlite.Database): void {
  immediately(raw, () => {
    raw.prepare("insert into meta (name, value) values ('probe', '')").run();
    raw.prepare("delete from meta where name = 'probe'").run();
  });
}

export function closeQuietly(raw: Sqlite.Database): void {
  try {
    raw.close();
  } catch {
    // Its thread ends, and the file with it.
  }
}
