import { getUserInfo } from "#shared/contract/session.ts";
import { readBooks } from "../stories/crash-books.ts";
import { lostOf, type Played } from "./judge.ts";

/**
 * Takes what was acknowledged before the primary died, and is not on its replica, out of what was told. Returns how many
 * of members' acts that were.
 */
export async function forgetLost(played: Played, diedMs: number): Promise<number> {
  const { history, load, server } = played;
  const lost = (await lostOf(played)).filter(({ toMs }) => toMs < diedMs);
  for (const asked of lost) asked.answer = null;
  // What was read then may be of a version that is lost.
  for (const asked of history.asked) if (asked.path === getUserInfo.path && asked.fromMs < diedMs) asked.answer = null;
  const { deposits } = await readBooks(server.database);
  const credits = new Map(deposits.map((deposit) => [deposit.order, deposit.credits]));
  const lostOrders = load.payments.filter(({ order }) => !credits.has(order));
  for (const payment of lostOrders) load.payments.splice(load.payments.indexOf(payment), 1);
  const unpaid = load.payments.filter(
    ({ order, paid, endedMs }) => paid && endedMs < diedMs && credits.get(order) === 0,
  );
  // The order is kept, and its payment is not.
  for (const payment of unpaid) payment.paid = false;
  return lost.length + lostOrders.length + unpaid.length;
}
