import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { moneyLog } from "#shared/contract/wallet.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { fromDecimal, type Money } from "#shared/money.ts";
import { SECOND_MS } from "#shared/time.ts";
import { balancesOf, keepCredited } from "./balances.ts";
import { originNow } from "./carried.ts";
import type { Kept, KeptReceipt } from "./kept.ts";
import type { Ask } from "./messages.ts";

type Entry = ReplyOf<typeof moneyLog>["list"][number];

const PAGE = 50;
/** Pages of changes that are looked through for one payment: it comes soon after the bet, and the oldest are read first. */
const MOST_PAGES = 10;

/** What the house says was paid in a round, and whether that covers what the member's bets won there. */
export interface Credit {
  isThere: boolean;
  due: Money;
  entries: Entry[];
}

/**
 * Looks for the payment of a bet's round among the changes of the balance. One payment is for all bets of a round, those
 * of other devices too, so it may be more than is known here. Null where the house shows none of them, or too many to look through.
 */
export async function creditOf(receipt: KeptReceipt, won: Money, { kept, ask }: { kept: Kept; ask: Ask }) {
  const due = won + (await othersIn(receipt, kept));
  const logOf = (period: { from?: string }) =>
    moneyLogOf((page) => ask("money", { ...period, ...page }, receipt.member));
  const since = await logOf({ from: String(Math.floor(parseReceipt(receipt.receipt)!.bet.time / SECOND_MS)) });
  if (!since) return null;
  let found = await paymentIn(since, 0, receipt);
  // Before it is missed for good: the house's clock may have been set back, and what came later is dated earlier.
  if (found === undefined && receipt.payout?.credit === "missed") {
    const all = await logOf({});
    const older = all && (await olderThan(receipt.order, all));
    if (older === null) return null;
    found = await paymentIn(all!, older, receipt);
  }
  if (found === null) return null;
  if (found === undefined) return { isThere: false, due, entries: since.first.list };
  const { paid, entries } = found;
  const isThere = fromDecimal(paid.money) >= due && (await isBooked(entries, receipt, kept));
  if (isThere) await keepCredited(kept, receipt, paid);
  return { isThere, due, entries };
}

type Log = NonNullable<Awaited<ReturnType<typeof moneyLogOf>>>;
type AskPage = (page: { page: string; limit: string }) => Promise<ReplyOf<typeof moneyLog> | null>;

/** The changes of a balance, by pages. Null where the house does not show them. */
async function moneyLogOf(ask: AskPage) {
  const at = (page: number) => ask({ page: String(page), limit: String(PAGE) });
  const first = await at(1);
  return (
    first && { first, at: (page: number, count: number) => (page === 1 && count === first.count ? first : at(page)) }
  );
}

/**
 * How many changes are surely older than what was paid for a bet: those behind a page that has a bet as old as this one,
 * the newest such page. Null where one is not shown, or too many have no bet.
 */
async function olderThan(order: string, log: Log): Promise<number | null> {
  const last = Math.max(1, Math.ceil(log.first.count / PAGE));
  let [low, high, older] = [1, last, 0];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const next = await nextWithBets(log, middle, high);
    if (!next) return null;
    const isOld = Math.min(...next.bets) <= numberOf(order);
    if (isOld) older = Math.max(0, next.count - next.page * PAGE);
    // Pages without a bet say nothing: those that were passed over go with the page behind them.
    if (isOld || next.bets.length === 0) high = middle - 1;
    else low = next.page + 1;
  }
  return older;
}

const numberOf = (id: string): number => Number(/^bet_(\d+)$/.exec(id)?.[1]);

/** The first page with bets from one on, and their numbers: none where there are none up to the last. */
async function nextWithBets({ first, at }: Log, from: number, last: number) {
  for (let page = from; page <= last; page++) {
    const shown = page - from < MOST_PAGES ? await at(page, first.count) : null;
    if (!shown) return null;
    const bets = shown.list.map(({ id }) => numberOf(id)).filter((number) => !Number.isNaN(number));
    if (bets.length > 0) return { page, count: shown.count, bets };
  }
  return { page: last, count: first.count, bets: [] };
}

/**
 * The payment of a bet's round, with all that stands on its page; it is looked for behind the `passed` oldest changes, the
 * oldest first. Undefined where it is in none. Null where one is not shown, or there are too many.
 *
 * Pages count from the newest change, which comes while they are read: what was on one page stands on an older one then. So
 * the changes are counted from the oldest, and a page that leaves some of them out is asked for again.
 */
async function paymentIn({ first, at }: Log, passed: number, { game, round }: KeptReceipt) {
  let { count } = first;
  for (let asked = 0; passed < count; asked++) {
    const page = Math.ceil((count - passed) / PAGE);
    const shown = asked < MOST_PAGES ? await at(page, count) : null;
    if (!shown) return null;
    const paid = shown.list.find(({ key, expect }) => key === game && expect === round);
    if (paid) return { paid, entries: shown.list };
    count = Math.max(count, shown.count);
    if (count - page * PAGE <= passed) passed = count - (page - 1) * PAGE;
  }
  return undefined;
}

/** What the member's other bets on the round won, as far as this device has checked it. */
async function othersIn({ origin, member, game, round, order }: KeptReceipt, kept: Kept): Promise<Money> {
  const others = (await kept.receipts(member)).filter(
    (one) => originNow(one) === origin && one.game === game && one.round === round && one.order !== order,
  );
  return others.reduce((sum, { payout }) => sum + (payout?.isRight ? fromDecimal(payout.win) : 0), 0);
}

/** Whether each change leads to the next balance, and to those that the house signed. */
async function isBooked(newestFirst: readonly Entry[], { member, origin }: KeptReceipt, kept: Kept): Promise<boolean> {
  const signed = new Map((await balancesOf(kept, member, origin)).map((one) => [one.version, one.balance]));
  return newestFirst.every(({ version, money, balance }, i) => {
    const after = fromDecimal(balance);
    const before = newestFirst[i + 1];
    const isNext =
      !before || (version === before.version + 1 && after === fromDecimal(before.balance) + fromDecimal(money));
    return isNext && (signed.get(version) ?? after) === after;
  });
}
