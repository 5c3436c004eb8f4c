import { problemsOf } from "./audited.ts";
import { openConnection, type OwnConnection } from "./own-connection.ts";
import { ENGINE } from "./databases.ts";
import { Books, type WalletRow } from "./model-books.ts";
import type { World } from "./world.ts";

const TABLES = {
  bets: "bets",
  transfers: "transfers",
  deposits: "deposits",
  withdrawals: "withdrawals",
  messages: "messages",
  // The audit lets the log state what is due, which announces a head.
  outbox: "outbox where topic <> 'log.head'",
  sessions: "sessions",
  keys: "bet_keys",
  payouts: "payouts",
  bankAccounts: "bank_accounts",
  replays: "replays",
  limitChanges: "limit_changes",
} as const;

export type Rows = Record<keyof typeof TABLES, number>;

/** Rows here are never deleted and SQLite skips no number: the last id is the count, and cheaper to read. */
const NUMBERED = new Set<string>(["bets", "transfers", "deposits", "withdrawals", "messages", "sessions"]);

const COUNTS = Object.entries(TABLES).map(([name, table]) => {
  const isNumbered = ENGINE === "sqlite" && NUMBERED.has(table);
  return `(select ${isNumbered ? "coalesce(max(id), 0)" : "count(*)"} from ${table}) as "${name}"`;
});

/** Reads the database directly, past all of the server's code. */
export class Reader {
  readonly books: Books;
  readonly #w: World;
  readonly #connection: OwnConnection;

  private constructor(w: World, connection: OwnConnection) {
    this.#w = w;
    this.#connection = connection;
    this.books = new Books(connection);
  }

  static async open(w: World): Promise<Reader> {
    return new Reader(w, await openConnection(w.config.database));
  }

  wallets(): Promise<WalletRow[]> {
    return this.#connection.all("select * from wallets order by member_id");
  }

  async rows(): Promise<Rows> {
    const [rows] = await this.#connection.all<Rows>(`select ${COUNTS.join()}`);
    return rows!;
  }

  /** Cuts every other connection to PostgreSQL at once, as when the process at its other end dies. */
  async cutOff(): Promise<void> {
    if (ENGINE === "sqlite") return;
    await this.#connection.all(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  }

  /** Counts missing and surplus versions in the members' journal index. */
  unindexed(): Promise<number> {
    return this.#count("select (select sum(version) from wallets) - (select count(*) from journal_index) as count");
  }

  /** Counts drawn rounds that are not settled yet. */
  unsettled(): Promise<number> {
    return this.#count("select count(*) as count from rounds where drawn_at is not null and indexed_at is null");
  }

  async gaps(): Promise<number[]> {
    const text = "select (select count(*) from gaps where game_id = games.id) as count from games order by id";
    return (await this.#connection.all<{ count: number }>(text)).map(({ count }) => count);
  }

  /** The problems that the operator's own audit finds. */
  audit(): Promise<string[]> {
    return problemsOf(this.#w);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #count(text: string): Promise<number> {
    const [row] = await this.#connection.all<{ count: number }>(text);
    return row!.count;
  }
}
