import type pg from "pg";
import type { Clock } from "#shared/time.ts";
import type { Committed } from "./lineage.ts";
import type { Pool } from "./pool.ts";

/** What batches and jobs may use. */
export interface JobContext {
  pool: pg.Pool;
  /** The database's clock, unless a test hands one in. */
  clock: Clock;
  reading(): Reading;
}

/** How a statement reads the time: `from`, and `speed` times what has passed by the database's clock since `startedAt`. */
export interface Reading {
  from: number;
  startedAt: number;
  speed: number;
}

export interface BatchContext extends JobContext {
  pool: Pool;
  /** Reports a failure that a batch does not throw, because a part of it is committed. */
  failed(error: unknown): void;
  /** Takes note of bets that are committed. */
  committed(batch: Committed): void;
}

/** Runs at once. It is committed when it returns. */
export type Batch = (context: BatchContext, input: never) => Promise<unknown>;
/** Runs in many steps, or in one long one. What it yields is committed. Its return value ends it. */
export type Job = (context: JobContext, input: never) => AsyncGenerator<unknown, unknown> | Promise<unknown>;

export interface PostgresWork {
  batches: Record<string, Batch>;
  jobs: Record<string, Job>;
}
