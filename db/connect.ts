import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { ClockSource } from "#shared/time.ts";
import type * as schema from "./schema/index.ts";

/** A transaction, or the read side of the database. Always awaited, on both dialects. */
export type Tx = Pick<
  BaseSQLiteDatabase<"async", unknown, typeof schema>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** Runs an effect once the transaction has been committed, and never otherwise. */
export type AfterCommit = (effect: () => void) => void;

export interface Db {
  read: Tx;
  /** Runs `work` alone on the write side, within 250 ms. No network inside; never nested. */
  transact<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T>;
  /** One of the engine's own pieces of work, done by the writer between transactions. */
  turn<I, O>(name: string, input: I): Promise<O>;
  /** The same in many short turns; each piece is heard once it is committed. */
  job<I, P, O>(name: string, input: I, heard: (piece: P) => void): Promise<O>;
  /** Reads a state of one moment, however long it takes. */
  snapshot<T>(work: (read: Tx) => Promise<T>): Promise<T>;
  /** A number that changes whenever anybody has committed anything. */
  stamp(): number;
  /** Copies the whole database, as it is at one moment, into a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** The module that a writer thread runs. */
  writer: URL;
  clock: ClockSource;
  /** Called when the write side died and cannot come back by itself. */
  onFatal(error: Error): void;
}

/** Opens a database whose tables are up to date (`migrate.ts`). */
export async function connect(url: string, options: ConnectOptions): Promise<Db> {
  const { connectSqlite } = await import("./sqlite/connect.ts");
  return connectSqlite(url, options);
}
