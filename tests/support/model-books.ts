import type { OwnConnection } from "./own-connection.ts";

export interface WalletRow {
  member_id: number;
  balance: number;
  version: number;
}

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

const CHANGES = `select 'bets' as source, id as row, member_id as member, version, -total as delta,
  balance_after as balance from bets where id > ?
  union all select 'payouts', 0, p.member_id, p.version, p.amount, p.balance_after from house_entries h
  join payouts p on p.round_id = h.round_id and p.member_id between h.from_id and h.to_id
  where h.id > ? and h.kind = 'payouts'
  union all select 'transfers', id, member_id, version,
  case when debit like 'member:%' then -amount else amount end, balance_after
  from transfers where id > ? and member_id is not null order by 3, 4`;
const MOVEMENTS = "select id, debit, credit, amount from transfers where id > ? order by id";
const HOUSE = "select id, kind, amount from house_entries where id > ? order by id";

/** The ledger's accounts, summed from their rows. Each check reads only the rows since the last one. */
export class Books {
  readonly #connection: OwnConnection;
  readonly #seen = { bets: 0, payouts: 0, transfers: 0, moved: 0, house: 0 };
  readonly #reached = new Map<number, { version: number; balance: number }>();
  /** Sums of the rows themselves, and of the house's own entries. */
  readonly #sums = { bets: 0, payouts: 0, houseBets: 0, housePayouts: 0 };
  readonly accounts = new Map<string, number>();

  constructor(connection: OwnConnection) {
    this.#connection = connection;
  }

  get held(): number {
    return this.accounts.get("held:withdrawals") ?? 0;
  }

  /** Faults in the rows written since the last check, and in the balances they lead to. */
  async faults(wallets: WalletRow[]): Promise<string[]> {
    const faults = [...(await this.#follow()), ...this.#compare(wallets)];
    await this.#book();
    const { bets, payouts, houseBets, housePayouts } = this.#sums;
    if (bets !== houseBets) faults.push(`bets come to ${bets}, the house has ${houseBets}`);
    if (payouts !== -housePayouts) faults.push(`payouts come to ${payouts}, the house has ${housePayouts}`);
    let sum = wallets.reduce((total, { balance }) => total + balance, houseBets + housePayouts);
    for (const [account, balance] of this.accounts) if (!account.startsWith("member:")) sum += balance;
    if (sum !== 0) faults.push(`the ledger sums to ${sum}`);
    return faults;
  }

  /** Versions have no gap, and every balance is the one before it plus the change. */
  async #follow(): Promise<string[]> {
    const faults: string[] = [];
    const { bets, house, transfers } = this.#seen;
    const changes = await this.#connection.all<Change>(CHANGES, bets, house, transfers);
    for (const { source, row, member, version, delta, balance } of changes) {
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

  async #book(): Promise<void> {
    const { accounts } = this;
    for (const { id, debit, credit, amount } of await this.#connection.all<Movement>(MOVEMENTS, this.#seen.moved)) {
      accounts.set(debit, (accounts.get(debit) ?? 0) - amount);
      accounts.set(credit, (accounts.get(credit) ?? 0) + amount);
      this.#seen.moved = id;
    }
    for (const { id, kind, amount } of await this.#connection.all<HouseRow>(HOUSE, this.#seen.house)) {
      this.#sums[kind === "bets" ? "houseBets" : "housePayouts"] += amount;
      this.#seen.house = id;
    }
  }
}
