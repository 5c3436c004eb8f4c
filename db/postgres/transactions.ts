import { randomInt } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { failpoint } from "#db/failpoint.ts";
import type { AfterCommit, TransactionKind, TransactionTurn, Tx } from "#db/db.ts";
import { Turns } from "#db/turns.ts";
import { isDuplicate, isSerializationFailure, throwCommitError } from "./pool.ts";

/** Concurrent transactions of one process: more would only conflict with each other. */
const MAX_CONCURRENT = 4;
/** How long a transaction is retried after conflicts. */
const RETRY_MS = 10_000;
const MAX_BACKOFF_MS = 40;

/** Writers of rows that the ledger's seals cover hold this shared lock until their commit (`ledger_reach`). */
export const SHARE_LEDGER = "pg_advisory_xact_lock_shared(7247, 1)";

const BEGIN: Record<TransactionKind, string> = {
  alone: "begin isolation level serializable",
  fence: "begin isolation level read committed",
  setup: "begin isolation level serializable",
};
/**
 * After so many tries a transaction locks the wallets against other writers. Otherwise a member's steady bets could
 * block a credit to them for ever. The lock comes before the first read, which must see what the lock waited for.
 */
const LOCK_WALLETS_AFTER = 3;
const LOCK_WALLETS = "lock table wallets in share row exclusive mode";

type Work<T> = (tx: Tx, afterCommit: AfterCommit) => Promise<T>;

export const typed = (client: pg.Pool | pg.PoolClient): Tx =>
  drizzle(client, { casing: "snake_case" }) as unknown as Tx;

/**
 * Serializable transactions, as the domains expect. PostgreSQL rolls one back when two conflict, and it is retried with
 * backoff. Few run at a time.
 */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #turns = new Turns(MAX_CONCURRENT);

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  transact<T>(work: Work<T>, kind: TransactionKind = "alone", turn: TransactionTurn = "in-order"): Promise<T> {
    return this.#turns.take(turn, () => this.#retry(work, kind));
  }

  async #retry<T>(work: Work<T>, kind: TransactionKind): Promise<T> {
    const deadline = performance.now() + RETRY_MS;
    let wasTaken = false;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(work, kind, tries > LOCK_WALLETS_AFTER);
      } catch (error) {
        // A unique key is taken, perhaps by a concurrent transaction. Taken on two tries in a row, it is the caller's error.
        const isTaken = isDuplicate(error);
        const isUndone = isSerializationFailure(error) || (isTaken && !wasTaken);
        if (!isUndone || performance.now() > deadline) throw error;
        wasTaken = isTaken;
        const pauseMs = randomInt(Math.min(2 ** tries, MAX_BACKOFF_MS) + 1);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  async #once<T>(work: Work<T>, kind: TransactionKind, locksWallets: boolean): Promise<T> {
    const client = await this.#pool.connect();
    const effects: (() => void)[] = [];
    let result: T;
    let broken = false;
    try {
      await client.query([BEGIN[kind], ...(locksWallets ? [LOCK_WALLETS] : []), `select ${SHARE_LEDGER}`].join("; "));
      result = await work(typed(client), (effect) => effects.push(effect));
      failpoint("transaction.commit");
      const { command } = await client.query("commit").catch(throwCommitError);
      // If `work` caught the failure of a statement, PostgreSQL answers the commit with a rollback.
      if (command !== "COMMIT") throw new Error("the transaction was rolled back");
    } catch (error) {
      await client.query("rollback").catch(() => (broken = true));
      throw error;
    } finally {
      client.release(broken);
    }
    for (const effect of effects) effect();
    return result;
  }
}
