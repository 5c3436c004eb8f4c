import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { OutboxReader, OutboxRow } from "#db/db.ts";
import { destroyConnection } from "./pool.ts";

/** How often the outbox is read without a NOTIFY: the listening connection may have died. */
const POLL_EVERY_MS = 1_000;
const RECONNECT_MS = 500;
/** A ping that times out finds a connection that died silently. */
const PING_EVERY_MS = 10_000;
const TIMEOUT_MS = 5_000;
const CLOSE_MS = 500;

/**
 * The number of the oldest running transaction in this database, or else of the next one. Transactions of other
 * databases on the server do not count: they write no outbox rows, and may run for hours. `backend_xid` is the lower
 * half of a number; it may be above `next`, which only counts what has ended. It is visible for one's own role only, so
 * all processes must connect as one role.
 */
const OPEN_FROM = `select least(next, min(next - 2147483648 + ((backend_xid::text::bigint - next + 2147483648) & 4294967295))) as "openFrom"
  from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) s
  left join pg_stat_activity on datname = current_database() and backend_xid is not null group by next`;

/** A separate statement, so that it sees everything that had ended when the first one ran. */
const READ = `select id, topic, payload, "transaction", "transaction" < $3 as past
  from outbox where ("transaction", id) > ($1, $2) and "transaction" < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  order by "transaction", id limit 1000`;

interface OutboxListener {
  wake: () => void;
  hear: (text: string) => void;
  /** Gets the newest row that was read, each time. */
  noteRead: (row: { transaction: number; id: number }) => void;
}

type Row = Omit<OutboxRow, "payload"> & { payload: string; transaction: number; past: boolean };

/**
 * Reads the outbox of a PostgreSQL. NOTIFY wakes the reader. Rows come in the order of their transactions, and only as
 * far as all of these have ended, so no row that commits late is skipped.
 */
export async function openOutboxReader(
  url: string,
  pool: pg.Pool,
  { wake, hear, noteRead }: OutboxListener,
): Promise<OutboxReader> {
  const openFrom = async () => (await pool.query<{ openFrom: number }>(OPEN_FROM)).rows[0]!.openFrom;
  let last = { transaction: await openFrom(), id: 0 };
  const connection = new ListenConnection(url, wake, hear);
  await connection.open().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const timer = setInterval(wake, POLL_EVERY_MS);
  return {
    async read() {
      const { rows } = await pool.query<Row>(READ, [last.transaction, last.id, await openFrom()]);
      const open = rows.findIndex(({ past }) => !past);
      const ready = open < 0 ? rows : rows.slice(0, open);
      const newest = ready.at(-1);
      if (newest) noteRead((last = newest));
      const events = ready.map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown }));
      return { rows: events, again: ready.length < rows.length || rows.length === 1_000 };
    },
    async stop() {
      clearInterval(timer);
      await connection.close();
    },
  };
}

/** The connection that listens for NOTIFY. It reconnects when it dies, and the missed rows are read then. */
class ListenConnection {
  readonly #url: string;
  readonly #wake: () => void;
  readonly #hear: (text: string) => void;
  readonly #pinging: NodeJS.Timeout;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, wake: () => void, hear: (text: string) => void) {
    this.#url = url;
    this.#wake = wake;
    this.#hear = hear;
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS).unref();
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      application_name: "trio listens",
    });
    for (const end of ["error", "end"] as const) client.on(end, () => this.#disconnected(client));
    client.on("notification", ({ channel, payload = "" }) =>
      channel === "outbox" ? this.#wake() : this.#hear(payload),
    );
    this.#client = client;
    await client.connect();
    await client.query("listen outbox; listen mentions");
    this.#wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#timer);
    const client = this.#client;
    if (!client) return;
    // A server that hangs never confirms the end.
    await Promise.race([client.end().catch(() => {}), setTimeout(CLOSE_MS)]);
    destroyConnection(client);
  }

  #ping(): void {
    const client = this.#client;
    client?.query("select 1").catch(() => this.#disconnected(client));
  }

  #disconnected(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    destroyConnection(client);
    if (this.#isClosed) return;
    this.#timer = globalThis.setTimeout(() => void this.#reopen(), RECONNECT_MS);
  }

  async #reopen(): Promise<void> {
    const opening = this.open();
    const client = this.#client!;
    await opening.catch(() => this.#disconnected(client));
  }
}
