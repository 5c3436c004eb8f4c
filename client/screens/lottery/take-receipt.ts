import { call } from "#client/api/call.ts";
import { queryClient } from "#client/api/queries.ts";
import type { Cart } from "#client/machines/cart.ts";
import type { PlacedBet } from "#client/watch/check-bet.ts";
import type { Taken } from "#client/watch/messages.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { lotteryInfo, lotteryOdds, type Lottery } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { fromUnits } from "#shared/money.ts";
import type { OddsItem } from "./odds-item.ts";

/** The watcher is quick. When it waits for the house itself, the bet is not kept waiting. */
const PATIENCE_MS = 4_000;
/** The receipt waits for whose it is, through some minutes without the house. */
const MOST_TRIES = 8;

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

/** What the page knows of the member and the site; asked for where it does not. */
async function known<E extends typeof getUserInfo | typeof systemBase>(endpoint: E): Promise<ReplyOf<E>> {
  const queryKey = [endpoint.path];
  const all = queryClient.getQueriesData<ReplyOf<E>>({ queryKey });
  const cached = all.find(([, data]) => data !== undefined)?.[1];
  return cached ?? queryClient.fetchQuery({ queryKey, queryFn: () => call(endpoint), retry: MOST_TRIES });
}

/**
 * Keeps the receipt of a bet, and compares it with what was shown, before the app says that the bet is taken. The watcher
 * keeps what it cannot judge now, and that a receipt is missing; it says later what that comes to.
 */
export function takeReceipt(answered: Answered, placed: Placed): Promise<Taken> {
  const unjudged = answered.receipt === undefined ? "missing" : "unknown";
  const late = new Promise<Taken>((resolve) => setTimeout(() => resolve(unjudged), PATIENCE_MS));
  return Promise.race([taken(answered, placed).catch((): Taken => unjudged), late]);
}

async function taken({ id: order, receipt }: Answered, { game, round, cart, beacon, lid }: Placed): Promise<Taken> {
  const [{ id: member }, { unit }] = [await known(getUserInfo), await known(systemBase)];
  const bet = { order, member, game, round, options: cart.options, stake: fromUnits(Number(cart.stake)), unit };
  const board = queryClient.getQueriesData<OddsItem[]>({ queryKey: [lotteryOdds.path, { id: lid }] });
  const odds = board
    .find(([, items]) => items !== undefined)?.[1]
    ?.filter(({ type }) => cart.options.includes(type))
    .map(({ type, pays, rtp }) => ({ type, pays, rtp }));
  const games = queryClient.getQueriesData<Lottery>({ queryKey: [lotteryInfo.path, { key: game }] });
  const kind = games.find(([, shown]) => shown !== undefined)?.[1]?.kind;
  const placed = {
    ...bet,
    ...(beacon && { beacon }),
    ...(odds && { odds }),
    ...(kind !== undefined && { kind }),
  };
  const { request } = await import("#client/watch/watch.ts");
  return request("take", { placed, receipt: receipt ?? null });
}
