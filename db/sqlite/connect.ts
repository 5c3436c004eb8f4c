import { drizzle as readDrizzle } from "drizzle-orm/better-sqlite3";
import { drizzle as leaseDrizzle } from "drizzle-orm/sqlite-proxy";
import type { AfterCommit, ConnectOptions, Db, Tx } from "../connect.ts";
import * as schema from "../schema/index.ts";
import { openSqlite } from "./open.ts";
import { WriterThread } from "./thread.ts";

const drizzleOptions = { schema, casing: "snake_case" } as const;

/**
 * SQLite in one file: reads on this thread's own connection, writes through
 * the writer thread. (Two writing connections in one process would stall each other.)
 */
export async function connectSqlite(file: string, options: ConnectOptions): Promise<Db> {
  const reader = openSqlite(file);
  const writer = new WriterThread(file, options);
  // better-sqlite3's builders answer at once, but await the same.
  const read = readDrizzle(reader, drizzleOptions) as unknown as Tx;
  const tx: Tx = leaseDrizzle(async (sql, params, method) => {
    const rows = await writer.ask({ ask: "run", sql, params, method });
    return { rows: rows as unknown[] };
    // drizzle 0.45 reads the casing from its third argument only; batches are never asked for.
  }, noBatches, drizzleOptions);
  // Leases end in the order they were asked for, so a statement always belongs to the one that runs.
  let tail: Promise<unknown> = Promise.resolve();

  async function lease<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = [];
    await writer.ask({ ask: "begin" });
    let result: T;
    try {
      result = await work(tx, (effect) => effects.push(effect));
    } catch (error) {
      await writer.ask({ ask: "rollback" }).catch(() => {});
      throw error;
    }
    await writer.ask({ ask: "commit" });
    for (const effect of effects) effect();
    return result;
  }

  return {
    read,
    transact(work) {
      const turn = tail.then(() => lease(work));
      tail = turn.catch(() => {});
      return turn;
    },
    turn: (name, input) => writer.ask({ ask: "turn", name, input }) as Promise<never>,
    job: (name, input, heard) =>
      writer.ask({ ask: "job", name, input }, heard as (piece: unknown) => void) as Promise<never>,
    async snapshot(work) {
      const raw = openSqlite(file, { readonly: true });
      try {
        raw.exec("begin");
        return await work(readDrizzle(raw, drizzleOptions) as unknown as Tx);
      } finally {
        raw.close();
      }
    },
    stamp: () => reader.pragma("data_version", { simple: true }) as number,
    // In one read transaction, so that it ends however much is written meanwhile.
    backup: async (target) => void reader.prepare("vacuum into ?").run(target),
    async close() {
      await tail;
      await writer.close();
      reader.close();
    },
  };
}

function noBatches(): never {
  throw new Error("statements go one by one");
}
