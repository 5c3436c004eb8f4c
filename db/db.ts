import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { AwayReason } from "#shared/contract/events.ts";
import type { Clock, ClockSource } from "#shared/time.ts";
import type { PostgresWork } from "./postgres/work.ts";
import type { StartWriter } from "./sqlite/protocol.ts";
import type { AwayListener } from "./write-gate.ts";

/** A transaction, or the read side of the database. Callers await it on both dialects. */
export type Tx = Pick<
  BaseSQLiteDatabase<"async", unknown>,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/**
 * `alone` reads one snapshot throughout. `fence`: each statement sees what was committed before it began. `setup` is
 * `alone` with a limit of 30 s: it fills a database before anybody is served.
 */
export type TransactionKind = "alone" | "fence" | "setup";

/** Whose turn it is when many wait to write: those of `first` go before all others, each in the order of arrival. */
export type TransactionTurn = "first" | "in-order";

/** Runs an effect after the commit, and never after a rollback. */
export type AfterCommit = (effect: () => void) => void;

/** A row of the outbox. */
export interface OutboxRow {
  id: number;
  topic: string;
  payload: unknown;
}

/** Reads the outbox, through which processes send each other events. */
export interface OutboxReader {
  /** The unread rows, in order; no later row ever sorts before them. `again`: there are more, which cannot be read yet. */
  read(): Promise<{ rows: OutboxRow[]; again: boolean }>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses a longer NOTIFY. */
export const LONGEST_MENTION = 7_999;

/** Those who wait for a connection, or for their turn to write, and what all have waited since the start. */
export interface Waits {
  waiting: number;
  waitedMs: number;
}

export interface Db {
  engine: "sqlite" | "postgres";
  /** The clock that all processes on this database share. */
  clock: Clock;
  read: Tx;
  /**
   * Runs `work` in a serializable transaction of at most 250 ms, and of twice that after each try that took longer. Only
   * one run is committed. No network inside; never nested. Throws DatabaseAway when nothing was done, and OutcomeUnknown
   * when it may have been committed.
   */
  transact<T>(
    work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>,
    kind?: TransactionKind,
    turn?: TransactionTurn,
  ): Promise<T>;
  /** Runs one of the engine's named batches, between transactions. */
  batch<I, O>(name: string, input: I): Promise<O>;
  /** Runs a named job in many short steps. `onPiece` gets each piece once it is committed. */
  job<I, P, O>(name: string, input: I, onPiece: (piece: P) => void): Promise<O>;
  /** Reads one snapshot, however long it takes. On SQLite it ends when the WAL has grown to its limit (`LongRead`). */
  snapshot<T>(work: (read: Tx) => Promise<T>): Promise<T>;
  /** A number that changes after every commit of any process. An engine that cannot tell changes it at every call. */
  stamp(): number;
  /** The same, but up to 50 ms late for other processes' commits without an outbox row, such as bets. */
  staleStamp(): number;
  /**
   * As late as that, and not bound to change with commits that wrote nothing to the outbox, such as bets, or only rows of
   * the topic `wallet.changed`. For rows whose every change is announced under another topic.
   */
  newsStamp(): number;
  /**
   * Subscribes to the outbox: `wake` is called whenever there may be new rows. `hear` gets what any process mentions from
   * then on.
   */
  listen(wake: () => void, hear: (text: string) => void): Promise<OutboxReader>;
  /**
   * Tells every process a text of at most `LONGEST_MENTION` bytes, and stores nothing: it may be lost. On SQLite, where
   * one process serves, nobody hears it.
   */
  mention(text: string): Promise<void>;
  /** Who waits for this process's connections. On SQLite only those who write wait. */
  waits(): { read?: Waits; write: Waits };
  /** Copies a snapshot of the whole database into a new file: a SQLite file, or pg_dump's archive. */
  backup(file: string): Promise<void>;
  /** Throws when the database cannot be read or written now: DatabaseAway, if the reason is known. */
  ping(): Promise<void>;
  /** Why nothing can be written now, or null. Meanwhile every write throws DatabaseAway at once, and reads go on. */
  away(): AwayReason | null;
  /** Calls the listener when that changes. Returns a function that unsubscribes. */
  onAway(listener: AwayListener): () => void;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** The entry point of SQLite's writer thread, with its batches and jobs. The default runs transactions only. */
  writer?: URL;
  /** Starts the writer in another way; in tests one thread serves many databases in turn. */
  startWriter?: StartWriter;
  /** The batches and jobs of PostgreSQL. */
  postgresWork(): Promise<PostgresWork>;
  clock: ClockSource;
  /** How far SQLite's WAL may grow beside a snapshot, in bytes. The default is `WAL_LIMIT`. */
  walLimit?: number;
  /** SQLite's writer thread starts with the first write. A command that only reads needs none. */
  mayOnlyRead?: boolean;
  /** Called when the write side has died and cannot recover by itself. */
  onFatal(error: Error): void;
}

/** The same database, for work that is to be done on time however many members write: its transactions go first. */
export const inFront = (db: Db): Db => ({ ...db, transact: (work, kind) => db.transact(work, kind, "first") });
