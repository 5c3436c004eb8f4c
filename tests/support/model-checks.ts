import type Sqlite from "better-sqlite3";
import { openFile } from "./ledger.ts";
import type { World } from "./world.ts";

export interface WalletRow {
  member_id: number;
  balance: number;
  version: number;
}

interface Change {
  member: number;
  version: number;
  delta: number;
  balance: number;
}

/** Reads what the database holds, past everything of the server's. */
export class Reader {
  readonly #raw: Sqlite.Database;
  readonly #wallets: Sqlite.Statement;
  readonly #rows: Sqlite.Statement;
  readonly #sum: Sqlite.Statement;

  constructor(w: World) {
    this.#raw = openFile(w);
    const last = (table: string) => `(select coalesce(max(id), 0) from ${table})`;
    const count = (table: string) => `(select count(*) from ${table})`;
    this.#wallets = this.#raw.prepare("select * from wallets order by member_id");
    this.#rows = this.#raw.prepare(`select ${last("bets")} bets, ${count("bet_keys")} keys, ${count("payouts")} payouts,
      ${last("transfers")} transfers, ${last("deposits")} deposits, ${count("replays")} replays,
      ${last("outbox")} outbox, ${count("limit_changes")} limitChanges`);
    this.#sum = this.#raw
      .prepare(
        `select (select sum(balance) from wallets) + (select coalesce(sum(amount), 0) from house_entries)
         + (select coalesce(sum(case when debit like 'house:%' then -amount else amount end), 0) from transfers)`,
      )
      .pluck();
  }

  wallets(): WalletRow[] {
    return this.#wallets.all() as WalletRow[];
  }

  rows() {
    return this.#rows.get() as Record<
      "bets" | "keys" | "payouts" | "transfers" | "deposits" | "replays" | "outbox" | "limitChanges",
      number
    >;
  }

  /** All wallets and all that the house has gained and given. */
  ledgerSum(): number {
    return this.#sum.get() as number;
  }

  /** What is wrong with the way that the ledger's rows lead to the wallets: nothing, when versions and balances do. */
  faults(): string[] {
    const changes = this.#raw
      .prepare(
        `select member_id member, version, -total delta, balance_after balance from bets
         union all select member_id, version, amount, balance_after from payouts
         union all select member_id, version, case when debit like 'house:%' then amount else -amount end, balance_after
         from transfers order by 1, 2`,
      )
      .all() as Change[];
    const faults: string[] = [];
    const reached = new Map<number, Change>();
    for (const change of changes) {
      const { member, version, delta, balance } = change;
      const before = reached.get(member) ?? { version: 0, balance: 0 };
      if (version !== before.version + 1) faults.push(`member ${member}: ${version} follows ${before.version}`);
      if (balance !== before.balance + delta) faults.push(`member ${member}: the balance of ${version} is off`);
      reached.set(member, change);
    }
    for (const { member_id, version, balance } of this.wallets()) {
      const last = reached.get(member_id);
      if (last?.version !== version || last.balance !== balance)
        faults.push(`member ${member_id}: not what was reached`);
    }
    return [...faults, ...this.#unlike("bets", "total"), ...this.#unlike("payouts", "-amount")];
  }

  #unlike(kind: "bets" | "payouts", gain: string): string[] {
    const sum = this.#raw.prepare(`select coalesce(sum(${gain}), 0) from ${kind}`).pluck().get();
    const house = this.#raw
      .prepare("select coalesce(sum(amount), 0) from house_entries where kind = ?")
      .pluck()
      .get(kind);
    return sum === house ? [] : [`the house has another sum of ${kind}`];
  }

  /** Members whose index names a version that is not there, or leaves one out. */
  unindexed(): number {
    return this.#raw
      .prepare("select (select sum(version) from wallets) - (select count(*) from journal_index)")
      .pluck()
      .get() as number;
  }

  gaps(): number[] {
    return this.#raw
      .prepare("select (select count(*) from gaps where game_id = games.id) from games order by id")
      .pluck()
      .all() as number[];
  }

  close(): void {
    this.#raw.close();
  }
}
