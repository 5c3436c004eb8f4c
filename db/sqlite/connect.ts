import type Sqlite from "better-sqlite3";
import { drizzle as readDrizzle } from "drizzle-orm/better-sqlite3";
import { drizzle as leaseDrizzle } from "drizzle-orm/sqlite-proxy";
import type { AfterCommit, ConnectOptions, Db, Tx } from "#db/connect.ts";
import * as schema from "#db/schema/index.ts";
import { clockOf } from "#shared/time.ts";
import { openNews } from "./news.ts";
import { openSqlite } from "./open.ts";
import { LEASE_OVER } from "./protocol.ts";
import { Statements } from "./statements.ts";
import { WriterThread } from "./thread.ts";

/** How often a transaction may run out of its time before that is its own fault. */
const MOST_TRIES = 4;

const DRIZZLE = { schema, casing: "snake_case" } as const;

/** SQLite in one file: reads on this thread's own connection, writes through the writer thread. */
export async function connectSqlite(file: string, options: ConnectOptions): Promise<Db> {
  const reader = openSqlite(file);
  const version = reader.prepare("pragma data_version").pluck();
  const writer = new WriterThread(file, options);
  const leases = new Leases(writer);
  return {
    engine: "sqlite",
    clock: clockOf(options.clock),
    read: reading(reader),
    transact: (work) => leases.transact(work),
    turn: (name, input) => writer.ask({ ask: "turn", name, input }) as Promise<never>,
    job: (name, input, heard) =>
      writer.ask({ ask: "job", name, input }, heard as (piece: unknown) => void) as Promise<never>,
    async snapshot(work) {
      const raw = openSqlite(file, { readonly: true });
      try {
        raw.exec("begin");
        return await work(reading(raw));
      } finally {
        raw.close();
      }
    },
    stamp: () => version.get() as number,
    lately: () => version.get() as number,
    // In one read transaction, so that it ends however much is written meanwhile.
    backup: async (target) => void reader.prepare("vacuum into ?").run(target),
    listen: async (wake) => openNews(reader, version, wake),
    ping: async () => void version.get(),
    async close() {
      await leases.end();
      await writer.close();
      reader.close();
    },
  };
}

/**
 * better-sqlite3's builders answer at once, but await the same. Of a connection they use nothing but its statements,
 * which are kept: what is asked most would otherwise be prepared anew each time.
 */
const reading = (raw: Sqlite.Database): Tx =>
  readDrizzle(new Statements(raw) as unknown as Sqlite.Database, DRIZZLE) as unknown as Tx;

/** Transactions on the writer, one after another, so that a statement always belongs to the one that runs. */
class Leases {
  readonly #writer: WriterThread;
  readonly #tx: Tx;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(writer: WriterThread) {
    this.#writer = writer;
    const run = async (sql: string, params: unknown[], method: "run" | "all" | "values" | "get") => {
      const rows = await writer.ask({ ask: "run", sql, params, method });
      return { rows: rows as unknown[] };
    };
    // drizzle 0.45 reads the casing from its third argument only; batches are never asked for.
    this.#tx = leaseDrizzle(run, noBatches, DRIZZLE);
  }

  transact<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    const turn = this.#tail.then(() => this.#insist(work));
    this.#tail = turn.catch(() => {});
    return turn;
  }

  async end(): Promise<void> {
    await this.#tail;
  }

  /** What ran out of its time left nothing behind and may be done again: the machine was busy. */
  async #insist<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#lease(work);
      } catch (error) {
        if (tries === MOST_TRIES || !ranOut(error)) throw error;
      }
    }
  }

  async #lease<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = [];
    await this.#writer.ask({ ask: "begin" });
    let result: T;
    try {
      result = await work(this.#tx, (effect) => effects.push(effect));
    } catch (error) {
      await this.#writer.ask({ ask: "rollback" }).catch(() => {});
      throw error;
    }
    await this.#writer.ask({ ask: "commit" });
    for (const effect of effects) effect();
    return result;
  }
}

/** drizzle wraps what a statement failed with. */
function ranOut(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === LEASE_OVER || cause?.code === LEASE_OVER;
}

function noBatches(): never {
  throw new Error("statements go one by one");
}
