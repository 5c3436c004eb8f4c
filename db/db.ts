import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { AwayReason } from "#shared/contract/events.ts";
import type { Clock, ClockSource } from "#shared/time.ts";
import type { PostgresWork } from "./postgres/work.ts";
import type * as schema from "./schema/index.ts";
import type { AwayListener } from "./write-gate.ts";

/** A transaction, or the read side of the database. Always awaited, on both dialects. */
export type Tx = Pick<
  BaseSQLiteDatabase<"async", unknown, typeof schema>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** `fence`: each statement sees what was committed while the one before waited, where `alone` sees one moment throughout. */
export type TransactionKind = "alone" | "fence";

/** Runs an effect once the transaction has been committed, and never otherwise. */
export type AfterCommit = (effect: () => void) => void;

/** A row of the outbox. */
export interface OutboxRow {
  id: number;
  topic: string;
  payload: unknown;
}

/** What processes tell each other through the outbox, as it is handed on by this engine. */
export interface OutboxReader {
  /** What was not read yet, in order; later rows never come before it. `again`: more is there that cannot be read yet. */
  read(): Promise<{ rows: OutboxRow[]; again: boolean }>;
  stop(): Promise<void>;
}

export interface Db {
  engine: "sqlite" | "postgres";
  /** The time that all processes on this database share. */
  clock: Clock;
  read: Tx;
  /**
   * Runs `work` as if it were alone on the write side, within 250 ms; perhaps more than once, but only one of them
   * counts. No network inside; never nested. Throws DatabaseAway when nothing was done, and OutcomeUnknown when it may
   * have been committed.
   */
  transact<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>, kind?: TransactionKind): Promise<T>;
  /** One of the engine's own pieces of work, done by the writer between transactions. */
  batch<I, O>(name: string, input: I): Promise<O>;
  /** The same in many short turns; each piece is heard once it is committed. */
  job<I, P, O>(name: string, input: I, onPiece: (piece: P) => void): Promise<O>;
  /** Reads a state of one moment, however long it takes; on SQLite only until the WAL has grown to its limit (`LongRead`). */
  snapshot<T>(work: (read: Tx) => Promise<T>): Promise<T>;
  /** A number that changes after every commit of anybody. An engine that cannot tell changes it at every call. */
  stamp(): number;
  /** The same, but it may miss other processes' commits for up to 50 ms, if the outbox tells nothing of them, as of bets. */
  staleStamp(): number;
  /** From now on: `wake` is called when there may be news. */
  listen(wake: () => void): Promise<OutboxReader>;
  /** Copies the whole database, as it is at one moment, into a new file: SQLite's own, or pg_dump's archive. */
  backup(file: string): Promise<void>;
  /** Throws when the database can be neither read nor written now: DatabaseAway, where it is known why. */
  ping(): Promise<void>;
  /** Why nothing can be written now, or null. Until that is over every write throws DatabaseAway at once; reads go on. */
  away(): AwayReason | null;
  /** Hears from now on when that changes. Returns how to stop. */
  onAway(listener: AwayListener): () => void;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** The engines' own pieces of work: the module that SQLite's writer thread runs, and those of PostgreSQL. */
  writer: URL;
  postgresWork(): Promise<PostgresWork>;
  clock: ClockSource;
  /** SQLite's WAL may grow so far, in bytes, beside a snapshot; `WAL_LIMIT` unless told. */
  walLimit?: number;
  /** Called when the write side died and cannot come back by itself. */
  onFatal(error: Error): void;
}
