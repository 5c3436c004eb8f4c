import Sqlite from "better-sqlite3";

/** How long a statement waits for another process before it gives up. */
const BUSY_MS = 5_000;

/** Opens the file with what durability and integrity need, and checks that it took. */
export function openSqlite(file: string, options: { readonly?: boolean } = {}): Sqlite.Database {
  const raw = new Sqlite(file, { ...options, timeout: BUSY_MS });
  if (!options.readonly) raw.pragma("journal_mode = WAL");
  // better-sqlite3 falls to NORMAL at the first write in WAL unless FULL is set explicitly.
  raw.pragma("synchronous = FULL");
  raw.pragma("foreign_keys = ON");
  // Without it, REPLACE deletes rows past the triggers that forbid it.
  raw.pragma("recursive_triggers = ON");
  raw.pragma("cache_size = -65536");
  raw.pragma("mmap_size = 268435456");
  return raw;
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Begins a write. Another process's writer leaves only short gaps under full
 * load, so this asks several times a millisecond instead of backing off.
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

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Runs `work` as one write transaction. */
export function immediately<T>(raw: Sqlite.Database, work: () => T): T {
  beginImmediate(raw);
  try {
    const result = work();
    raw.exec("commit");
    return result;
  } catch (error) {
    if (raw.inTransaction) raw.exec("rollback");
    throw error;
  }
}
