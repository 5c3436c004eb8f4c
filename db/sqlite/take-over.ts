import type Sqlite from "better-sqlite3";
import { immediately, openSqlite } from "./open.ts";
import { isReadable, checkIntegrity, isDamage } from "./disk-errors.ts";

/** The file itself is damaged: its disk reads every byte of it. */
export class Damaged extends Error {
  override name = "Damaged";
}

/**
 * How many pages the WAL holds before they are written into the file: 62.5 MiB, of the 64 at which it is truncated. A
 * checkpoint writes a page once, however often it changed meanwhile. At SQLite's own 1,000 a server takes a tenth fewer bets.
 */
const CHECKPOINT_PAGES = 16_000;

/**
 * Opens a database for writing. It returns once a write is committed, and everything that a recovery found in the WAL is
 * synced into the file. After a failed sync those pages may exist in memory only, and a later sync would not write them
 * again. `isDoubted`: a read found damage, so the whole file is checked.
 */
export function takeOver(file: string, isDoubted: boolean): Sqlite.Database {
  if (isDoubted) check(file);
  const raw = openSqlite(file);
  try {
    raw.pragma("busy_timeout = 1000");
    // A statement that may fail midway notes the pages it changes: past 64 KiB in a file, opened each time.
    raw.pragma("temp_store = memory");
    raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // A long reader elsewhere may keep the WAL from being emptied. Then nothing was recovered either.
    raw.pragma("wal_checkpoint(TRUNCATE)");
    probe(raw);
    return raw;
  } catch (error) {
    closeQuietly(raw);
    throw error;
  }
}

/** Throws Damaged for a damaged file, and SQLITE_IOERR_READ when a failing disk makes it look damaged. */
export function check(file: string): void {
  try {
    checkIntegrity(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (!isReadable(file)) throw Object.assign(new Error("the disk cannot read the database"), { code: UNREADABLE });
    confirm(file);
  }
}

const UNREADABLE = "SQLITE_IOERR_READ";

/** Checks again, now that the disk has returned every byte. */
function confirm(file: string): void {
  try {
    checkIntegrity(file);
  } catch (error) {
    throw isDamage(error) ? new Damaged("the database is damaged: restore a backup", { cause: error }) : error;
  }
}

/** Commits a tiny write that leaves no row behind. */
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
    // The thread ends, which closes the file.
  }
}
