import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { AfterCommit, TransactionKind, TransactionTurn, Tx, Waits } from "#db/db.ts";
import { Turns } from "#db/turns.ts";
import { SETUP_LIMIT_MS, TRANSACTION_LIMIT_MS, TRANSACTION_TIMEOUT, type Statement } from "./protocol.ts";
import type { WriterThread } from "./writer-worker.ts";

/** After so many timeouts the transaction itself is too slow. */
const MOST_TRIES = 4;

/** More statements at once would occupy the writer beyond the transaction's time, which it looks at in between. */
const MOST_UNSENT = 64;

type Work<T> = (tx: Tx, afterCommit: AfterCommit) => Promise<T>;

/**
 * Queues transactions for the writer, one after another: a statement always belongs to the one that runs. A message to the
 * writer costs more than most statements, so those that are asked for at once share one. One that returns no rows is not
 * waited for: it travels with the next that does, or with the commit. If it fails, those fail, and nothing is committed.
 */
export class Transactions {
  readonly #writer: WriterThread;
  readonly #tx: Tx;
  readonly #turns = new Turns(1);
  /** Statements of the transaction that runs which have not been sent yet, in their order. */
  #unsent: Statement[] = [];
  /** The answers to them, once one is waited for. */
  #sending: Promise<unknown[][]> | null = null;
  readonly #waits: Waits = { waiting: 0, waitedMs: 0 };

  constructor(writer: WriterThread) {
    this.#writer = writer;
    const run = async (sql: string, params: unknown[], method: Statement["method"]) => {
      const place = this.#unsent.push({ sql, params, method }) - 1;
      if (method === "run" && this.#unsent.length < MOST_UNSENT) return { rows: [] };
      const rows = await (this.#sending ??= this.#send());
      return { rows: rows[place]! };
    };
    // drizzle 0.45 reads the casing from its third argument only. Batches are never used.
    this.#tx = drizzle(run, noBatches, { casing: "snake_case" });
  }

  transact<T>(work: Work<T>, kind: TransactionKind = "alone", turn: TransactionTurn = "in-order"): Promise<T> {
    const limitMs = kind === "setup" ? SETUP_LIMIT_MS : TRANSACTION_LIMIT_MS;
    const from = performance.now();
    this.#waits.waiting++;
    return this.#turns.take(turn, () => {
      this.#waits.waiting--;
      this.#waits.waitedMs += performance.now() - from;
      return this.#retry(work, limitMs);
    });
  }

  waits(): Waits {
    return { ...this.#waits };
  }

  async end(): Promise<void> {
    await this.#turns.take("in-order", async () => {});
  }

  /** A transaction that timed out left nothing behind and is retried with twice the time: the machine may be busy. */
  async #retry<T>(work: Work<T>, limitMs: number): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(work, limitMs * 2 ** (tries - 1));
      } catch (error) {
        if (tries === MOST_TRIES || !isTimeout(error)) throw error;
      }
    }
  }

  async #once<T>(work: Work<T>, limitMs: number): Promise<T> {
    const effects: (() => void)[] = [];
    await this.#writer.send({ ask: "begin", limitMs });
    // Of a failed one, whose works did not all end with it.
    this.#unsent = [];
    let result: T;
    try {
      result = await work(this.#tx, (effect) => effects.push(effect));
      await this.#writer.send({ ask: "commit", statements: this.#takeUnsent() });
    } catch (error) {
      this.#unsent = [];
      // A commit that failed has rolled back already; one that could not be sent has not.
      await this.#writer.send({ ask: "rollback" }).catch(() => {});
      throw error;
    }
    for (const effect of effects) effect();
    return result;
  }

  async #send(): Promise<unknown[][]> {
    // Others that need no further answer come along, however many promises they wait for.
    await new Promise((resolve) => process.nextTick(resolve));
    this.#sending = null;
    return (await this.#writer.send({ ask: "run", statements: this.#takeUnsent() })) as unknown[][];
  }

  #takeUnsent(): Statement[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }
}

/** drizzle wraps a statement's error. */
function isTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === TRANSACTION_TIMEOUT || cause?.code === TRANSACTION_TIMEOUT;
}

function noBatches(): never {
  throw new Error("batches of statements are not supported: run them one by one");
}
