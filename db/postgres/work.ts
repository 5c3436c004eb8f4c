import type pg from "pg";
import type { Clock } from "#shared/time.ts";
import type { Pool } from "./pool.ts";

/** What a piece of the engine's own work has at hand. */
export interface JobContext {
  pool: pg.Pool;
  /** By the database's clock, unless a test turns one by hand. */
  clock: Clock;
  /** Null where the statement itself asks the database for the time. */
  nowIfHandedIn(): number | null;
}

export interface BatchContext extends JobContext {
  pool: Pool;
  /** Tells of a failure that a piece of work does not throw, because a part of it is committed. */
  failed(error: unknown): void;
}

/** Done in one go, committed when it answers. */
export type Batch = (context: BatchContext, input: never) => Promise<unknown>;
/** Done in many goes, and what it yields is committed; or in one that takes long. What it returns ends it. */
export type Job = (context: JobContext, input: never) => AsyncGenerator<unknown, unknown> | Promise<unknown>;

export interface PostgresWork {
  batches: Record<string, Batch>;
  jobs: Record<string, Job>;
}
