import { queryClient } from "#client/api/queries.ts";
import type { Cart } from "#client/machines/cart.ts";
import type { PlacedBet } from "#client/watch/check-bet.ts";
import type { Taken } from "#client/watch/messages.ts";
import { lotteryOdds } from "#shared/contract/lottery.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { systemBase, type BaseInfo } from "#shared/contract/site.ts";
import { fromUnits } from "#shared/money.ts";
import type { OddsItem } from "./odds-item.ts";

/** The watcher is quick. When it waits for the house itself, the bet is not kept waiting. */
const PATIENCE_MS = 4_000;

interface Placed {
  game: string;
  round: string;
  cart: Cart;
  beacon: PlacedBet["beacon"] | undefined;
  /** The wire's id of the game. */
  lid: string;
}

/** What a bet was answered with. */
interface Answered {
  id: string;
  receipt?: string;
}

const known = <T>(path: string): T | undefined =>
  queryClient.getQueriesData<T>({ queryKey: [path] }).find(([, data]) => data !== undefined)?.[1];

/**
 * Keeps the receipt of a bet, and compares it with what was shown, before the app says that the bet is taken. A receipt
 * that cannot be judged now is judged later; if it is wrong, that is said then.
 */
export async function takeReceipt(
  { id: order, receipt }: Answered,
  { game, round, cart, beacon, lid }: Placed,
): Promise<Taken> {
  const [member, unit] = [known<UserInfo>(getUserInfo.path)?.id, known<BaseInfo>(systemBase.path)?.unit];
  if (receipt === undefined || member === undefined || unit === undefined) return "unknown";
  const bet = { order, member, game, round, options: cart.options, stake: fromUnits(Number(cart.stake)), unit };
  const board = queryClient.getQueriesData<OddsItem[]>({ queryKey: [lotteryOdds.path, { id: lid }] });
  const odds = board
    .find(([, items]) => items !== undefined)?.[1]
    ?.filter(({ type }) => cart.options.includes(type))
    .map(({ type, pays, rtp }) => ({ type, pays, rtp }));
  const placed = { ...bet, ...(beacon && { beacon }), ...(odds && { odds }) };
  const taken = import("#client/watch/watch.ts").then(({ request }) => request("take", { placed, receipt }));
  const late = new Promise<Taken>((resolve) => setTimeout(() => resolve("unknown"), PATIENCE_MS));
  return Promise.race([taken.catch((): Taken => "unknown"), late]);
}
