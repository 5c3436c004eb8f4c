import { setImmediate } from "node:timers/promises";
import { and, desc, gt, lte, sql, type Column, type SQL } from "drizzle-orm";
import type { Db, Tx } from "#db/db.ts";
import { houseEntries, seals, transfers, wallets } from "#db/schema/ledger.ts";
import { MINUTE_MS } from "#shared/time.ts";

const EVERY_MS = 5 * MINUTE_MS;
/** Rows of one statement. */
const PAGE = 5_000;

/**
 * The sum of all wallets and house accounts, which is 0 unless money appeared or vanished. What a seal covers never
 * changes, so it is read once: later sums read the wallets and what is newer than the seal.
 */
export class LedgerSum {
  readonly #db: Pick<Db, "snapshot">;
  #sealed = { houseTo: 0, transfersTo: 0, sum: 0 };
  #last = Number.NaN;

  constructor({ db }: { db: Pick<Db, "snapshot"> }) {
    this.#db = db;
  }

  /** What the last `tick` came to, in 1/100 unit; NaN before the first, and after one that failed. */
  get last(): number {
    return this.#last;
  }

  async tick(): Promise<number> {
    try {
      this.#last = await this.read();
    } catch (error) {
      this.#last = Number.NaN;
      throw error;
    }
    return EVERY_MS;
  }

  /** Sums one moment, in 1/100 unit. Reads in pages, between which others have their turn. */
  read(): Promise<number> {
    return this.#db.snapshot(async (read) => {
      const [seal] = await read.select().from(seals).orderBy(desc(seals.id)).limit(1);
      const { houseTo, transfersTo, sum } = this.#sealed;
      const reach = seal ?? { houseTo, transfersTo };
      const sealed =
        sum +
        (await sumHouse(read, houseTo, reach.houseTo)) +
        (await sumTransfers(read, transfersTo, reach.transfersTo));
      this.#sealed = { houseTo: reach.houseTo, transfersTo: reach.transfersTo, sum: sealed };
      const newer = [
        await sumHouse(read, reach.houseTo),
        await sumTransfers(read, reach.transfersTo),
        await sumPages(read, wallets.memberId, sql`${wallets.balance}`),
      ];
      return newer.reduce((one, other) => one + other, sealed);
    });
  }
}

const sumHouse = (read: Tx, after: number, to?: number) =>
  sumPages(read, houseEntries.id, sql`${houseEntries.amount}`, after, to);

/** What house accounts gained. */
function sumTransfers(read: Tx, after: number, to?: number): Promise<number> {
  const { id, amount, debit, credit } = transfers;
  const ofHouse = (account: Column) => sql`case when substr(${account}, 1, 7) = 'member:' then 0 else ${amount} end`;
  return sumPages(read, id, sql`${ofHouse(credit)} - ${ofHouse(debit)}`, after, to);
}

/** Adds up a value over the rows of a table with keys in after + 1..to, or to the end. */
async function sumPages(read: Tx, key: Column, value: SQL, after = 0, to?: number): Promise<number> {
  const total = sql<string>`cast(coalesce(sum(value), 0) as text)`;
  let sum = 0;
  for (let last: number | null = after; last !== null;) {
    const isNext = and(gt(key, last), to === undefined ? undefined : lte(key, to));
    const page = read
      .select({ key: sql<number>`${key}`.as("key"), value: sql<number>`${value}`.as("value") })
      .from(key.table)
      .where(isNext)
      .orderBy(sql`${key}`)
      .limit(PAGE)
      .as("page");
    const [row]: { total: string; last: number | null }[] = await read
      .select({ total, last: sql<number | null>`max(${page.key})` })
      .from(page);
    sum += Number(row!.total);
    last = row!.last;
    await setImmediate();
  }
  return sum;
}
