import { asc, eq, gt, isNotNull, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits, gaps, rounds, wallets } from "#db/schema/index.ts";
import { DAY_MS, dayOf, monthOf, weekOf } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type Wallet = typeof wallets.$inferSelect;
type Counter = "staked" | "won" | "deposited";
const PERIODS = ["day", "week", "month"] as const;

interface Sums {
  day: number;
  week: number;
  month: number;
  total: number;
}

type Stamps = Pick<Sums, "day" | "week" | "month">;

interface Counted extends Record<Counter, Sums> {
  /** The periods that the wallet's counters belong to. */
  now: Stamps;
  /** Top-ups paid in these periods and ordered before: they may be counted here or not. */
  late: Sums;
}

const none = (): Sums => ({ day: 0, week: 0, month: 0, total: 0 });

/** Recomputes what a wallet counts: the totals of its report, and the sums of the day, week and month under its limits. */
export class WalletTotals {
  readonly #members = new Map<number, Counted>();
  /** A clock that was ahead or set back: the counters of a period may hold more than the rows of that time. */
  readonly #clockErred: boolean;
  #last: { day: number; stamps: Stamps } = { day: Number.NaN, stamps: none() };

  private constructor(clockErred: boolean) {
    this.#clockErred = clockErred;
  }

  static async read(read: Tx): Promise<WalletTotals> {
    const totals = new WalletTotals(await hasClockErred(read));
    const { memberId: id, day, week, month } = wallets;
    const page = (after: number, limit: number) =>
      read.select({ id, day, week, month }).from(wallets).where(gt(id, after)).orderBy(asc(id)).limit(limit);
    for await (const { id, ...now } of inPages(page))
      totals.#members.set(id, { now, staked: none(), won: none(), deposited: none(), late: none() });
    await totals.#addOrders(read);
    return totals;
  }

  /** Counts what was staked or won on a UTC day. */
  add(memberId: number, what: "staked" | "won", amount: number, day: number): void {
    const own = this.#members.get(memberId);
    if (!own) return;
    own[what].total += amount;
    this.#addPeriods(own, own[what], amount, day);
  }

  /** Counts what was credited for a top-up, or taken back by a reversal. */
  addDeposited(memberId: number, amount: number): void {
    const own = this.#members.get(memberId);
    if (own) own.deposited.total += amount;
  }

  check(wallet: Wallet, found: Findings): void {
    const own = this.#members.get(wallet.memberId)!;
    const compare = (what: string, says: number, least: number, most: number) =>
      found.check(
        says >= least && says <= most,
        () => `wallet of member ${wallet.memberId}: ${what} is ${says}, its rows sum to ${least}`,
      );
    compare("staked in all", wallet.stakedTotal, own.staked.total, own.staked.total);
    compare("won in all", wallet.wonTotal, own.won.total, own.won.total);
    compare("topped up in all", wallet.depositedTotal, own.deposited.total, own.deposited.total);
    const beyond = this.#clockErred ? Number.MAX_SAFE_INTEGER : 0;
    for (const period of PERIODS) {
      const of = (what: Counter) => wallet[`${what}${period[0]!.toUpperCase()}${period.slice(1)}` as "stakedDay"];
      const [staked, won, deposited] = [own.staked[period], own.won[period], own.deposited[period]];
      compare(`staked of its ${period}`, of("staked"), staked, staked + beyond);
      compare(`won of its ${period}`, of("won"), won, won + beyond);
      compare(`topped up of its ${period}`, of("deposited"), deposited, deposited + own.late[period] + beyond);
    }
  }

  /** An order counts towards the limits when it is made; one that lapsed and is paid later, in the periods since. */
  async #addOrders(read: Tx): Promise<void> {
    const page = (after: number, limit: number) =>
      read.select().from(deposits).where(gt(deposits.id, after)).orderBy(asc(deposits.id)).limit(limit);
    for await (const { memberId, channel, amount, createdAt, paidAt } of inPages(page)) {
      const own = this.#members.get(memberId);
      if (!own || channel === "operator") continue;
      this.#addPeriods(own, own.deposited, amount, dayOf(createdAt));
      if (paidAt !== null) this.#addPeriods(own, own.late, amount, dayOf(paidAt));
    }
  }

  #addPeriods(own: Counted, sums: Sums, amount: number, day: number): void {
    if (day !== this.#last.day) {
      const at = day * DAY_MS;
      this.#last = { day, stamps: { day, week: weekOf(at), month: monthOf(at) } };
    }
    for (const period of PERIODS) if (this.#last.stamps[period] >= own.now[period]) sums[period] += amount;
  }
}

async function hasClockErred(read: Tx): Promise<boolean> {
  const some = { id: gaps.id };
  const isWrong = or(eq(gaps.reason, "clock"), isNotNull(gaps.takenBackAt));
  const [gap] = await read.select(some).from(gaps).where(isWrong).limit(1);
  if (gap) return true;
  const [skipped] = await read.select({ id: rounds.id }).from(rounds).where(isNotNull(rounds.skippedAt)).limit(1);
  return skipped !== undefined;
}
