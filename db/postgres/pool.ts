import type { Duplex } from "node:stream";
import pg from "pg";
import { codeOf, DatabaseAway, OutcomeUnknown } from "#db/away.ts";

/** How long a question waits for a connection before the database counts as away. */
const CONNECT_MS = 5_000;
/** What a process that froze, or a plan that went wrong, may hold others up. */
const SESSION = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 2_000,
};
/**
 * For sessions that write. Some tables are full one minute and empty the next: a plan that was made and kept while one
 * was empty would read it from end to end for every bet. Compiling a plan takes longer than any of them runs.
 */
export const WRITER_SESSION = { options: "-c enable_seqscan=off -c jit=off" };

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what is counted exactly`);
  return value;
};
// bigint and numeric: every number here is a whole one. drizzle takes its parsers from here too.
pg.types.setTypeParser(pg.types.builtins.INT8, whole);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, whole);
// JSON comes as its text: drizzle reads it, and would read a text that was read already once more.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text);

/**
 * Connections to a PostgreSQL, at most so many. While it is known not to answer nobody waits for it: `shut` cuts off
 * whoever does, and refuses all others at once until it is opened again.
 */
export class Pool extends pg.Pool {
  readonly #clients = new Set<pg.PoolClient>();
  #isShut = false;

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
    // A connection that dies unused is taken out of the pool; whoever asks next hears of it.
    this.on("error", () => {});
    this.on("connect", (client) => {
      this.#clients.add(client);
      // So does whoever uses it, of their next question; between two of them nobody listens.
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
    return taken ? super.connect(taken) : super.connect();
  }

  /**
   * Runs one statement that commits by itself. Throws OutcomeUnknown when it was sent and no answer came: it may have
   * been committed. What fails before that was not done.
   */
  async commit<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const client = await this.connect();
    let broken = false;
    try {
      return await client.query<R>(query);
    } catch (error) {
      broken = !isRejection(error);
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

/** Hears of a connection, or why there is none. */
type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (broken?: unknown) => void,
) => void;

/** Ends a connection without a word: whoever waits for an answer on it hears that there is none. */
export function destroyConnection(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy(new DatabaseAway());
}

/** Whether PostgreSQL undid something for the sake of others at the same rows, by a conflict or a deadlock. */
export const isSerializationFailure = (error: unknown): boolean => /^40(001|P01)$/.test(codeOf(error) ?? "");

/** Codes with which PostgreSQL may end a session that has committed already: no way to it, no resources, going down, no disk. */
const SESSION_ENDED = /^(08|53|57P|58|XX)/;

/** Whether PostgreSQL said no, so that what was asked is undone. Its last words before it ends a session are no such answer. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.severity === "ERROR" || !SESSION_ENDED.test(error.code ?? "");
}

/** Throws what a commit failed with; OutcomeUnknown unless PostgreSQL itself said that it was undone. */
export function throwCommitError(error: unknown): never {
  throw isRejection(error) ? error : new OutcomeUnknown({ cause: error });
}
