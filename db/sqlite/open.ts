import { closeSync, existsSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { OutcomeUnknown } from "#db/away.ts";

/** How long a statement waits for another process before it gives up. */
const BUSY_MS = 5_000;
/** A WAL that grew beyond this beside a long reader is truncated to it at its next restart. */
export const WAL_SIZE_LIMIT = 64 * 2 ** 20;
/**
 * Each connection's own page cache. It fills as the database grows and counts for every connection of every process.
 * 16 MiB are as fast as 64 at 800 MB of data, because `mmap_size` reads through the system's cache; at 2 MiB, bets are
 * 5 to 20 % slower.
 */
const CACHE_KIB = 16 * 1_024;

/** Opens the file with the settings that durability and integrity need. Only the owner may read a new file. */
export function openSqlite(file: string, options: { readonly?: boolean } = {}): Sqlite.Database {
  // SQLite gives the WAL and the shared memory the mode of the file. An existing file is not opened here: closing it
  // would drop the locks that this process holds on it.
  if (!options.readonly && !existsSync(file)) closeSync(openSync(file, "a", 0o600));
  const raw = new Sqlite(file, { ...options, timeout: BUSY_MS });
  if (!options.readonly) raw.pragma("journal_mode = WAL");
  // Unless FULL is set explicitly, better-sqlite3 falls to NORMAL at the first write in WAL.
  raw.pragma("synchronous = FULL");
  raw.pragma("foreign_keys = ON");
  // Without it, REPLACE deletes rows past the triggers that forbid it.
  raw.pragma("recursive_triggers = ON");
  raw.pragma(`cache_size = -${CACHE_KIB}`);
  raw.pragma("mmap_size = 268435456");
  raw.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT}`);
  return raw;
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Begins a write. Under full load another process's writer leaves only short gaps, so this retries several times a
 * millisecond instead of backing off.
 */
export function beginImmediate(raw: Sqlite.Database): void {
  const deadline = performance.now() + BUSY_MS;
  raw.pragma("busy_timeout = 0");
  try {
    for (;;) {
      try {
        raw.exec("begin immediate");
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        Atomics.wait(pause, 0, 0, 0.2);
      }
    }
  } finally {
    raw.pragma(`busy_timeout = ${BUSY_MS}`);
  }
}

const isBusy = (error: unknown): boolean => error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");

/** Codes of a failed commit that wrote nothing: a lock of another process, or a deferred constraint. */
const NOT_COMMITTED = /^SQLITE_(BUSY|CONSTRAINT)/;

/**
 * Commits. Throws OutcomeUnknown when the disk fails: the frames may be in the WAL, where a recovery would find them.
 * Whatever it throws, no transaction is open afterwards.
 */
export function commit(raw: Sqlite.Database): void {
  try {
    raw.exec("commit");
  } catch (error) {
    rollBack(raw);
    const isKnown = error instanceof Sqlite.SqliteError && NOT_COMMITTED.test(error.code);
    throw isKnown ? error : new OutcomeUnknown({ cause: error });
  }
}

/** Rolls back, unless SQLite did so by itself, as on most disk errors. */
export function rollBack(raw: Sqlite.Database): void {
  if (raw.inTransaction) raw.exec("rollback");
}

/** Runs `work` as one write transaction. Throws OutcomeUnknown when a failed commit may be durable. */
export function immediately<T>(raw: Sqlite.Database, work: () => T): T {
  beginImmediate(raw);
  let result: T;
  try {
    result = work();
  } catch (error) {
    rollBack(raw);
    throw error;
  }
  commit(raw);
  return result;
}
