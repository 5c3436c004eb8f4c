import type { Duplex } from "node:stream";
import pg from "pg";
import { codeOf, DatabaseAway, OutcomeUnknown } from "#db/away.ts";
import type { Lineage } from "./lineage.ts";

/** How long a query waits for a connection before the database counts as away. */
const CONNECT_MS = 5_000;
/** How long a frozen process or a bad plan may block others. */
const SESSION = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 2_000,
};
/**
 * For sessions that write. Some tables are full one minute and empty the next. A plan cached while a table was empty
 * would scan all of it for every bet. JIT compiling takes longer than any of these statements runs.
 */
export const WRITER_SESSION = { options: "-c enable_seqscan=off -c jit=off" };

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
};
// bigint and numeric: every number here is whole. drizzle uses these parsers too.
pg.types.setTypeParser(pg.types.builtins.INT8, whole);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, whole);
// JSON stays text: drizzle parses it, and would parse a parsed string again.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text);

/** Nobody gets a connection that leads to another database; `onAstray` is called when one did. */
export const leadingTo = (lineage: Lineage, onAstray: () => void): pg.PoolConfig => ({
  verify: (client, done) => {
    lineage.check(client).then(
      () => done(),
      (error: Error) => {
        if (error instanceof DatabaseAway) onAstray();
        done(error);
      },
    );
  },
});

/**
 * A connection pool. While the server is known not to answer, nobody waits for it: `shut` destroys the connections in
 * use and refuses new queries at once, until `open`.
 */
export class Pool extends pg.Pool {
  readonly #clients = new Set<pg.PoolClient>();
  #isShut = false;
  #waitedMs = 0;

  constructor(url: string, max: number, limits: pg.PoolConfig = {}) {
    super({
      connectionString: url,
      max,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: "trio",
      ...SESSION,
      ...limits,
    });
    // A connection that dies unused leaves the pool. The next query finds out.
    this.on("error", () => {});
    this.on("connect", (client) => {
      this.#clients.add(client);
      // One that dies between two queries of its user: the next query fails.
      client.on("error", () => {});
    });
    this.on("remove", (client) => this.#clients.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(taken?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (this.#isShut) {
      if (!taken) return Promise.reject(new DatabaseAway());
      return taken(new DatabaseAway(), undefined, () => {});
    }
    const from = performance.now();
    const note = () => {
      this.#waitedMs += performance.now() - from;
    };
    if (!taken) return super.connect().finally(note);
    super.connect((...got) => {
      note();
      taken(...got);
    });
  }

  /** Who waits for a connection, and what all have waited (`Waits`). */
  waits() {
    return { waiting: this.waitingCount, waitedMs: this.#waitedMs };
  }

  /**
   * Runs one statement that commits by itself. Throws OutcomeUnknown when it was sent and no answer came: it may have
   * been committed. On a failure before that, nothing was done.
   */
  async commit<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const client = await this.connect();
    let broken = false;
    try {
      return await client.query<R>(query);
    } catch (error) {
      // A cancelled function may have kept a lock of its session.
      broken = !isRejection(error) || codeOf(error) === CANCELED;
      return throwCommitError(error);
    } finally {
      client.release(broken);
    }
  }

  shut(): void {
    this.#isShut = true;
    for (const client of this.#clients) destroyConnection(client);
  }

  open(): void {
    this.#isShut = false;
  }
}

/** Gets a connection, or the error. */
type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (broken?: unknown) => void,
) => void;

/** Destroys a connection at once. Queries that wait on it fail with DatabaseAway. */
export function destroyConnection(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy(new DatabaseAway());
}

/** Whether PostgreSQL rolled back because of a serialization conflict or a deadlock. */
export const isSerializationFailure = (error: unknown): boolean => /^40(001|P01)$/.test(codeOf(error) ?? "");

const CANCELED = "57014";

/** Whether a row with the same key was there. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === "23505";

/** Codes that may end a session after its commit: no connection, no resources, shutdown, no disk. */
const SESSION_ENDED = /^(08|53|57P|58|XX)/;

/** Whether PostgreSQL rejected the statement, so it is rolled back. An error that ends the session proves nothing. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.severity === "ERROR" || !SESSION_ENDED.test(error.code ?? "");
}

/** Throws a commit's failure: OutcomeUnknown, unless PostgreSQL itself rejected it. */
export function throwCommitError(error: unknown): never {
  throw isRejection(error) ? error : new OutcomeUnknown({ cause: error });
}
