import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { AfterCommit, Tx } from "#db/db.ts";
import * as schema from "#db/schema/index.ts";
import { TRANSACTION_TIMEOUT } from "./protocol.ts";
import type { WriterThread } from "./writer-worker.ts";

/** How often a transaction may run out of its time before that is its own fault. */
const MOST_TRIES = 4;

/** Transactions on the writer, one after another, so that a statement always belongs to the one that runs. */
export class Transactions {
  readonly #writer: WriterThread;
  readonly #tx: Tx;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(writer: WriterThread) {
    this.#writer = writer;
    const run = async (sql: string, params: unknown[], method: "run" | "all" | "values" | "get") => {
      const rows = await writer.send({ ask: "run", sql, params, method });
      return { rows: rows as unknown[] };
    };
    // drizzle 0.45 reads the casing from its third argument only; batches are never asked for.
    this.#tx = drizzle(run, noBatches, { schema, casing: "snake_case" });
  }

  transact<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => this.#retry(work));
    this.#tail = result.catch(() => {});
    return result;
  }

  async end(): Promise<void> {
    await this.#tail;
  }

  /** What ran out of its time left nothing behind and may be done again: the machine was busy. */
  async #retry<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(work);
      } catch (error) {
        if (tries === MOST_TRIES || !isTimeout(error)) throw error;
      }
    }
  }

  async #once<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = [];
    await this.#writer.send({ ask: "begin" });
    let result: T;
    try {
      result = await work(this.#tx, (effect) => effects.push(effect));
    } catch (error) {
      await this.#writer.send({ ask: "rollback" }).catch(() => {});
      throw error;
    }
    await this.#writer.send({ ask: "commit" });
    for (const effect of effects) effect();
    return result;
  }
}

/** drizzle wraps what a statement failed with. */
function isTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === TRANSACTION_TIMEOUT || cause?.code === TRANSACTION_TIMEOUT;
}

function noBatches(): never {
  throw new Error("statements go one by one");
}
