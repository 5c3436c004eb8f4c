import { getUserInfo } from "#shared/contract/session.ts";
import { withConnection } from "../support/own-connection.ts";
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
  const rows = await withConnection(server.database, ({ all }) =>
    all<{ order: string }>('select order_no as "order" from deposits'),
  );
  const kept = new Set(rows.map(({ order }) => order));
  const lostOrders = load.payments.filter(({ order }) => !kept.has(order));
  for (const payment of lostOrders) load.payments.splice(load.payments.indexOf(payment), 1);
  return lost.length + lostOrders.length;
}
