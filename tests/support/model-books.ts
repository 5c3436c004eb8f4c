import type Sqlite from "better-sqlite3";
import type { WalletRow } from "./model-checks.ts";

interface Change {
  source: "bets" | "payouts" | "transfers";
  row: number;
  member: number;
  version: number;
  delta: number;
  balance: number;
}

interface Movement {
  id: number;
  debit: string;
  credit: string;
  amount: number;
}

interface HouseRow {
  id: number;
  kind: "bets" | "payouts";
  amount: number;
}

/** The accounts of the ledger, each kept by its rows: every look reads only what was written since the last. */
export class Books {
  readonly #changes: Sqlite.Statement;
  readonly #movements: Sqlite.Statement;
  readonly #house: Sqlite.Statement;
  readonly #seen = { bets: 0, payouts: 0, transfers: 0, moved: 0, house: 0 };
  readonly #reached = new Map<number, { version: number; balance: number }>();
  /** By the rows themselves, and by the house's own entries. */
  readonly #sums = { bets: 0, payouts: 0, houseBets: 0, housePayouts: 0 };
  readonly accounts = new Map<string, number>();

  constructor(raw: Sqlite.Database) {
    this.#changes = raw.prepare(
      `select 'bets' source, id row, member_id member, version, -total delta, balance_after balance
       from bets where id > @bets
       union all select 'payouts', 0, p.member_id, p.version, p.amount, p.balance_after from house_entries h
       join payouts p on p.round_id = h.round_id and p.member_id between h.from_id and h.to_id
       where h.id > @house and h.kind = 'payouts'
       union all select 'transfers', id, member_id, version,
       case when debit like 'member:%' then -amount else amount end, balance_after
       from transfers where id > @transfers and member_id is not null order by 3, 4`,
    );
    this.#movements = raw.prepare("select id, debit, credit, amount from transfers where id > ?");
    this.#house = raw.prepare("select id, kind, amount from house_entries where id > ?");
  }

  get held(): number {
    return this.accounts.get("held:withdrawals") ?? 0;
  }

  /** What is wrong with what was written since the last look, and with where it leads. */
  faults(wallets: WalletRow[]): string[] {
    const faults = [...this.#follow(), ...this.#compare(wallets)];
    this.#book();
    const { bets, payouts, houseBets, housePayouts } = this.#sums;
    if (bets !== houseBets) faults.push(`bets come to ${bets}, the house has ${houseBets}`);
    if (payouts !== -housePayouts) faults.push(`payouts come to ${payouts}, the house has ${housePayouts}`);
    let sum = wallets.reduce((total, { balance }) => total + balance, houseBets + housePayouts);
    for (const [account, balance] of this.accounts) if (!account.startsWith("member:")) sum += balance;
    if (sum !== 0) faults.push(`the ledger sums to ${sum}`);
    return faults;
  }

  /** Versions without a gap, and every balance what the one before it and the change come to. */
  #follow(): string[] {
    const faults: string[] = [];
    for (const { source, row, member, version, delta, balance } of this.#changes.all(this.#seen) as Change[]) {
      const before = this.#reached.get(member) ?? { version: 0, balance: 0 };
      if (version !== before.version + 1) faults.push(`member ${member}: ${version} follows ${before.version}`);
      if (balance !== before.balance + delta) faults.push(`member ${member}: the balance of ${version} is off`);
      this.#reached.set(member, { version, balance });
      this.#seen[source] = Math.max(this.#seen[source], row);
      if (source !== "transfers") this.#sums[source] += Math.abs(delta);
    }
    return faults;
  }

  #compare(wallets: WalletRow[]): string[] {
    const off = wallets.filter(({ member_id, version, balance }) => {
      const reached = this.#reached.get(member_id) ?? { version: 0, balance: 0 };
      return reached.version !== version || reached.balance !== balance;
    });
    return off.map(({ member_id }) => `member ${member_id}: the wallet is not what its rows come to`);
  }

  #book(): void {
    const { accounts } = this;
    for (const { id, debit, credit, amount } of this.#movements.all(this.#seen.moved) as Movement[]) {
      accounts.set(debit, (accounts.get(debit) ?? 0) - amount);
      accounts.set(credit, (accounts.get(credit) ?? 0) + amount);
      this.#seen.moved = id;
    }
    for (const { id, kind, amount } of this.#house.all(this.#seen.house) as HouseRow[]) {
      this.#sums[kind === "bets" ? "houseBets" : "housePayouts"] += amount;
      this.#seen.house = id;
    }
  }
}
