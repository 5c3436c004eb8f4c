import type { FastifyInstance } from "fastify";
import { DatabaseCache, momentStamp, staleStamp } from "#db/database-cache.ts";
import type { Deps } from "#server/app/deps.ts";
import { mount, serve, serveCached, type Call } from "#server/http/serve.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import * as fair from "#shared/contract/fair.ts";
import * as contract from "#shared/contract/lottery.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";
import { pageOf } from "#shared/paging.ts";
import { Refusal } from "#shared/refusal.ts";
import { stepOf } from "#shared/unit.ts";
import type { BetService } from "./place-bet.ts";
import { readAnchors } from "./read-anchors.ts";
import { readFairRound, readGaps } from "./read-fair.ts";
import { listBeaconChanges } from "./read-beacon-changes.ts";
import { findGame, findGameByWireId } from "./read-games.ts";
import { readHistory } from "./read-history.ts";
import { readOdds } from "./read-odds.ts";
import { readOrders, readOwnRounds, readWaitingRounds } from "./read-orders.ts";
import { listPauses } from "./read-pauses.ts";
import { isPausedNow, listGamesNow, lotteryView, type GameNow } from "./read-round.ts";

/** The classes of all kinds, even of kinds that the site has no game of. */
const CLASSES: ReadonlySet<string> = new Set([...GAME_KINDS.values()].map(({ classKey }) => classKey));

/** The games over HTTP. */
export function lotteryRoutes(app: FastifyInstance, deps: Deps, bets: BetService): void {
  const { read } = deps.db;
  const cache = new DatabaseCache<GameNow[]>(staleStamp(deps.db));
  const gamesNow = () => cache.get("games", () => listGamesNow(read));
  fairRoutes(app, deps);
  ownRoutes(app, deps);

  serve(app, deps, contract.itemList, ({ input, locale }) => {
    return page([...CLASSES], input).map((key) => ({ key, name: deps.text(locale, `game.class.${key}`) }));
  });

  serve(app, deps, contract.hotLottery, async ({ input, locale }) => {
    const running = (await gamesNow()).filter((game) => !isPausedNow(game, deps.clock.now()));
    return views(page(running, input), locale);
  });

  const listGames = async ({ input, locale }: Call<InputOf<typeof contract.lotteryList>>) => {
    if (input.class && !CLASSES.has(input.class)) throw new Refusal("object.unknown");
    const games = await gamesNow();
    const wanted = games.filter(({ kind }) => !input.class || rulesOf(kind).classKey === input.class);
    return views(page(wanted, input), locale);
  };
  const showGame = async ({ input, locale }: Call<InputOf<typeof contract.lotteryInfo>>) =>
    lotteryView(gameOf(input.key, await gamesNow()), deps, locale);
  // They tell the time.
  const moments = momentStamp(staleStamp(deps.db), deps.clock);
  serveCached(app, deps, contract.lotteryList, listGames, moments);
  serveCached(app, deps, contract.lotteryInfo, showGame, moments);

  const listDraws = async ({ input }: Call<InputOf<typeof contract.lotteryHistory>>) =>
    readHistory(read, await findGame(read, input.key), input);
  const showOdds = async ({ input, locale }: Call<InputOf<typeof contract.lotteryOdds>>) =>
    readOdds(read, deps, await findGameByWireId(read, input.id), locale);
  serveCached(app, deps, contract.lotteryHistory, listDraws, staleStamp(deps.db));
  serveCached(app, deps, contract.lotteryOdds, showOdds, staleStamp(deps.db));

  mount(app, deps, contract.placeOrder, {
    replay: (caller, keyed) => bets.replay(caller, keyed),
    handle: ({ caller, input, keyed }) => bets.place(caller, input, keyed),
  });

  function views(games: GameNow[], locale: LocaleCode) {
    return games.map((game) => lotteryView(game, deps, locale));
  }
}

/** What a member sees of their own bets. */
function ownRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serveCached(app, deps, contract.gameList, ({ caller, input, locale }) =>
    readOrders(read, deps, { memberId: caller.memberId, locale, ...input }),
  );

  serveCached(app, deps, contract.ownRounds, async ({ caller: { memberId }, input: { key } }) => {
    const step = stepOf(deps.settings.get("unit"));
    if (key === undefined) return readWaitingRounds(read, step, memberId);
    return readOwnRounds(read, step, await findGame(read, key), memberId);
  });
}

function gameOf(wanted: string, games: GameNow[]): GameNow {
  const game = games.find(({ key }) => key === wanted);
  if (!game) throw new Refusal("object.unknown");
  return game;
}

/** What anybody needs to check the draws. */
function fairRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serve(app, deps, fair.fairRound, async ({ input }) => {
    const ask = { read, now: deps.clock.now(), beacons: deps.beacons };
    return readFairRound(ask, await findGame(read, input.key), input.expect);
  });
  serve(app, deps, fair.fairAnchors, async ({ input }) =>
    readAnchors(read, await findGame(read, input.key), deps.clock.now()),
  );
  serve(app, deps, fair.fairGaps, async ({ input }) => readGaps(read, await findGame(read, input.key)));
  serve(app, deps, fair.fairBeacons, async ({ input }) => listBeaconChanges(read, await findGame(read, input.key)));
  serve(app, deps, fair.fairPauses, async ({ input, locale }) =>
    listPauses(read, await findGame(read, input.key), locale),
  );
}

function page<T>(rows: T[], input: { page?: number | undefined; limit?: number | undefined }): T[] {
  const { limit, offset } = pageOf(input);
  return rows.slice(offset, offset + limit);
}
