import { asc, eq, gt, isNotNull, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits, gaps, rounds, wallets } from "#db/schema/index.ts";
import { dayOf, MINUTE_MS, monthOf, weekOf } from "#shared/time.ts";
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
  /** What was staked or topped up just before these periods: it was counted here if something of now was counted first. */
  before: Pick<Record<Counter, Sums>, "staked" | "deposited">;
}

const none = (): Sums => ({ day: 0, week: 0, month: 0, total: 0 });

/** So much later than its row is dated a change may be counted: it waited for a lock meanwhile. Servers' clocks differ by less. */
const WAITED_MS = MINUTE_MS;

/** Recomputes what a wallet counts: the totals of its report, and the sums of the day, week and month under its limits. */
export class WalletTotals {
  readonly #members = new Map<number, Counted>();
  /** A clock that was ahead or set back: the counters of a period may hold more than the rows of that time. */
  #clockErred: boolean;
  /** When the last of the rows came that come in the order of time. */
  readonly #newest = { orders: Number.NEGATIVE_INFINITY, commits: Number.NEGATIVE_INFINITY };
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
      totals.#members.set(id, {
        now,
        staked: none(),
        won: none(),
        deposited: none(),
        late: none(),
        before: { staked: none(), deposited: none() },
      });
    await totals.#addOrders(read);
    return totals;
  }

  /** Sees the next order or commit, by number. One that is dated well before the last tells that a clock was ahead. */
  see(what: "orders" | "commits", at: number): void {
    if (at < this.#newest[what] - WAITED_MS) this.#clockErred = true;
    this.#newest[what] = at;
  }

  /** Counts what was staked or won at a time. */
  add(memberId: number, what: "staked" | "won", amount: number, at: number): void {
    const own = this.#members.get(memberId);
    if (!own) return;
    own[what].total += amount;
    this.#addPeriods(own, own[what], amount, at);
    if (what === "staked") this.#addBefore(own, what, amount, at);
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
      compare(`staked of its ${period}`, of("staked"), staked, staked + own.before.staked[period] + beyond);
      compare(`won of its ${period}`, of("won"), won, won + beyond);
      const mayHold = own.late[period] + own.before.deposited[period] + beyond;
      compare(`topped up of its ${period}`, of("deposited"), deposited, deposited + mayHold);
    }
  }

  /** An order counts towards the limits when it is made; one that lapsed and is paid later, in the periods since. */
  async #addOrders(read: Tx): Promise<void> {
    const page = (after: number, limit: number) =>
      read.select().from(deposits).where(gt(deposits.id, after)).orderBy(asc(deposits.id)).limit(limit);
    for await (const { memberId, channel, amount, createdAt, paidAt } of inPages(page)) {
      this.see("orders", createdAt);
      const own = this.#members.get(memberId);
      if (!own || channel === "operator") continue;
      this.#addPeriods(own, own.deposited, amount, createdAt);
      this.#addBefore(own, "deposited", amount, createdAt);
      if (paidAt !== null) this.#addPeriods(own, own.late, amount, paidAt);
    }
  }

  #addPeriods(own: Counted, sums: Sums, amount: number, at: number): void {
    const stamps = this.#stampsAt(at);
    for (const period of PERIODS) if (stamps[period] >= own.now[period]) sums[period] += amount;
  }

  #addBefore(own: Counted, what: "staked" | "deposited", amount: number, at: number): void {
    if (dayOf(at + WAITED_MS) === dayOf(at)) return;
    const [stamps, soon] = [this.#stampsAt(at), this.#stampsAt(at + WAITED_MS)];
    for (const period of PERIODS)
      if (stamps[period] < own.now[period] && soon[period] >= own.now[period]) own.before[what][period] += amount;
  }

  /** Rows come in the order of time, so that one day is asked for again and again. */
  #stampsAt(at: number): Stamps {
    const day = dayOf(at);
    if (day !== this.#last.day) this.#last = { day, stamps: { day, week: weekOf(at), month: monthOf(at) } };
    return this.#last.stamps;
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
