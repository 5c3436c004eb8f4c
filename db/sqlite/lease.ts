import type Sqlite from "better-sqlite3";
import { beginImmediate } from "./open.ts";
import { LEASE_MS, LEASE_OVER, portable, type Request, type Response } from "./protocol.ts";
import { Statements } from "./statements.ts";

type RunRequest = Extract<Request, { ask: "run" }>;

/** Somebody's transaction on the write connection: one at a time, for a limited time. */
export class Lease {
  readonly #raw: Sqlite.Database;
  readonly #answer: (response: Response) => void;
  readonly #statements: Statements;
  #end: (() => void) | null = null;

  constructor(raw: Sqlite.Database, answer: (response: Response) => void) {
    this.#raw = raw;
    this.#answer = answer;
    this.#statements = new Statements(raw);
  }

  /** Begins, tells the asker, and resolves when it ended: by commit, by rollback, or because its time was up. */
  async run(id: number): Promise<void> {
    try {
      beginImmediate(this.#raw);
    } catch (error) {
      return this.#fail(id, error);
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#stop("rollback"), LEASE_MS);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#answer({ id, answer: null });
    });
  }

  hear(request: Request): void {
    try {
      if (!this.#end) {
        const late = new Error("the transaction took longer than its lease and was rolled back");
        throw Object.assign(late, { code: LEASE_OVER });
      }
      if (request.ask === "run") this.#answer({ id: request.id, answer: this.#execute(request) });
      else if (request.ask === "commit" || request.ask === "rollback") {
        this.#stop(request.ask);
        this.#answer({ id: request.id, answer: null });
      }
    } catch (error) {
      this.#fail(request.id, error);
    }
  }

  #execute({ sql, params, method }: RunRequest): unknown {
    const statement = this.#statements.prepare(sql);
    if (!statement.reader) return void statement.run(...params);
    return method === "get" ? statement.get(...params) : statement.all(...params);
  }

  #stop(how: "commit" | "rollback"): void {
    const end = this.#end!;
    try {
      this.#raw.exec(how);
    } catch (error) {
      if (this.#raw.inTransaction) this.#raw.exec("rollback");
      throw error;
    } finally {
      this.#end = null;
      end();
    }
  }

  #fail(id: number, error: unknown): void {
    this.#answer({ id, error: portable(error) });
  }
}
