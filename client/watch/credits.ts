import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { moneyLog } from "#shared/contract/wallet.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { fromDecimal, type Money } from "#shared/money.ts";
import { SECOND_MS } from "#shared/time.ts";
import { balancesOf } from "./balances.ts";
import type { Kept, KeptReceipt } from "./kept.ts";
import type { Ask } from "./messages.ts";

type Entry = ReplyOf<typeof moneyLog>["list"][number];

const PAGE = 50;
/** Changes of a balance that are looked through for one payment: it comes soon after the bet, and the oldest are read first. */
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
  const from = String(Math.floor(parseReceipt(receipt.receipt)!.bet.time / SECOND_MS));
  const pageAt = (page: number) => ask("money", { from, page: String(page), limit: String(PAGE) });
  const first = await pageAt(1);
  if (!first) return null;
  const last = Math.max(1, Math.ceil(first.count / PAGE));
  for (let page = last; page >= 1 && page > last - MOST_PAGES; page--) {
    const shown = page === 1 ? first : await pageAt(page);
    if (!shown) return null;
    const entries = shown.list;
    const paid = entries.find(({ key, expect }) => key === receipt.game && expect === receipt.round);
    if (!paid) continue;
    const isThere = fromDecimal(paid.money) >= due && (await isBooked(entries, receipt, kept));
    return { isThere, due, entries };
  }
  return last > MOST_PAGES ? null : { isThere: false, due, entries: first.list };
}

/** What the member's other bets on the round won, as far as this device has checked it. */
async function othersIn({ origin, member, game, round, order }: KeptReceipt, kept: Kept): Promise<Money> {
  const others = (await kept.receipts(member)).filter(
    (one) => one.origin === origin && one.game === game && one.round === round && one.order !== order,
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
