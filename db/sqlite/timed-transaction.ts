import type Sqlite from "better-sqlite3";
import { beginImmediate, commit, rollBack } from "./open.ts";
import { codeOf } from "#db/away.ts";
import { failpoint } from "#db/failpoint.ts";
import { TRANSACTION_TIMEOUT, type Request, type Statement } from "./protocol.ts";
import { Statements } from "./statements.ts";

export type BeginRequest = Extract<Request, { ask: "begin" }>;

/** Where the responses go. */
interface ResponsePort {
  answer(id: number, value: unknown): void;
  /** Answers with an error. */
  fail(id: number, error: unknown): void;
}

/** A main-thread transaction on the write connection: one at a time, with a timeout. */
export class TimedTransaction {
  readonly #raw: Sqlite.Database;
  readonly #port: ResponsePort;
  readonly #statements: Statements;
  #end: (() => void) | null = null;
  /** On the clock of `performance`. */
  #deadline = 0;
  /** The first error of a statement. Whoever asked for it may not look at it, so everything after it fails with it. */
  #failure: unknown = null;

  constructor(raw: Sqlite.Database, asker: ResponsePort) {
    this.#raw = raw;
    this.#port = asker;
    this.#statements = new Statements(raw);
  }

  /** Begins, responds, and resolves at the end: by commit, rollback or timeout. */
  async run({ id, limitMs }: BeginRequest): Promise<void> {
    this.#failure = null;
    this.#deadline = performance.now() + limitMs;
    try {
      beginImmediate(this.#raw);
    } catch (error) {
      return this.#port.fail(id, error);
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#expire(id), limitMs);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#port.answer(id, null);
    });
  }

  handle(request: Request): void {
    try {
      if (!this.#end) throw tookTooLong();
      if (request.ask === "run")
        this.#port.answer(
          request.id,
          request.statements.map((one) => this.#execute(one)),
        );
      else if (request.ask === "commit" || request.ask === "rollback") {
        this.#stop(request.ask === "commit" ? request.statements : null);
        this.#port.answer(request.id, null);
      }
    } catch (error) {
      this.#port.fail(request.id, error);
    }
  }

  /** Gives the transaction up: its connection is not used any more. */
  abandon(): void {
    this.#end?.();
    this.#end = null;
  }

  #execute({ sql, params, method }: Statement): unknown {
    this.#check();
    try {
      const statement = this.#statements.prepare(sql);
      if (method === "run") return void statement.run(...params);
      return method === "get" ? statement.get(...params) : statement.all(...params);
    } catch (error) {
      const failed = new Error(`Failed query: ${sql}: ${(error as Error).message}`);
      throw (this.#failure = Object.assign(failed, { code: codeOf(error) }));
    }
  }

  #expire(id: number): void {
    try {
      this.#stop(null);
    } catch (error) {
      // No request waits for this, but the writer must learn that its connection is broken.
      this.#port.fail(id, error);
    }
  }

  /** Commits after these last statements, or rolls back without any. */
  #stop(last: readonly Statement[] | null): void {
    const end = this.#end!;
    try {
      if (last === null) return rollBack(this.#raw);
      for (const one of last) this.#execute(one);
      this.#check();
      failpoint("transaction.commit");
      commit(this.#raw);
    } catch (error) {
      rollBack(this.#raw);
      throw error;
    } finally {
      this.#end = null;
      end();
    }
  }

  /**
   * Where SQLite rolled back by itself, as on most disk errors, every further statement would commit by itself. And the
   * timer cannot fire between the statements of one message.
   */
  #check(): void {
    if (this.#failure !== null) throw this.#failure;
    if (performance.now() > this.#deadline) throw (this.#failure = tookTooLong());
  }
}

function tookTooLong(): Error {
  const late = new Error("the transaction took longer than its time limit and was rolled back");
  return Object.assign(late, { code: TRANSACTION_TIMEOUT });
}
