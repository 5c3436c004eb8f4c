import type Sqlite from "better-sqlite3";
import { audit } from "#server/admin/audit/audit.ts";
import { openFile } from "./ledger.ts";
import { Books } from "./model-books.ts";
import type { World } from "./world.ts";

export interface WalletRow {
  member_id: number;
  balance: number;
  version: number;
}

/** What of each table is counted: the last row number where rows are never deleted, which is cheaper. */
const COUNTS = {
  bets: "last",
  transfers: "last",
  deposits: "last",
  withdrawals: "last",
  messages: "last",
  outbox: "last",
  sessions: "last",
  keys: "bet_keys",
  payouts: "payouts",
  bankAccounts: "bank_accounts",
  replays: "replays",
  limitChanges: "limit_changes",
} as const;

export type Rows = Record<keyof typeof COUNTS, number>;

/** Reads what the database holds, past everything of the server's. */
export class Reader {
  readonly books: Books;
  readonly #w: World;
  readonly #raw: Sqlite.Database;
  readonly #wallets: Sqlite.Statement;
  readonly #rows: Sqlite.Statement;

  constructor(w: World) {
    this.#w = w;
    this.#raw = openFile(w);
    this.books = new Books(this.#raw);
    const counts = Object.entries(COUNTS).map(([name, table]) =>
      table === "last"
        ? `(select coalesce(max(id), 0) from ${name}) ${name}`
        : `(select count(*) from ${table}) ${name}`,
    );
    this.#wallets = this.#raw.prepare("select * from wallets order by member_id");
    this.#rows = this.#raw.prepare(`select ${counts.join()}`);
  }

  wallets(): WalletRow[] {
    return this.#wallets.all() as WalletRow[];
  }

  rows(): Rows {
    return this.#rows.get() as Rows;
  }

  /** Members whose index names a version that is not there, or leaves one out. */
  unindexed(): number {
    return this.#raw
      .prepare("select (select sum(version) from wallets) - (select count(*) from journal_index)")
      .pluck()
      .get() as number;
  }

  /** Drawn rounds that are not settled yet. */
  unsettled(): number {
    return this.#raw
      .prepare("select count(*) from rounds where drawn_at is not null and indexed_at is null")
      .pluck()
      .get() as number;
  }

  gaps(): number[] {
    return this.#raw
      .prepare("select (select count(*) from gaps where game_id = games.id) from games order by id")
      .pluck()
      .all() as number[];
  }

  /** What the operator's own audit finds. */
  async audit(): Promise<string[]> {
    const { config, deps } = this.#w;
    const { json } = await audit.run({ ...deps, config }, { args: {}, options: {} });
    return (json as { problems: string[] }).problems;
  }

  close(): void {
    this.#raw.close();
  }
}
