import type { Countdown, Result } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

type Round = Pick<Lottery, "next_expect" | "state" | "second" | "close_ms" | "draw_ms" | "server_now_ms" | "commit">;
type Drawn = Pick<Lottery, "now_expect" | "opencode" | "one" | "two">;

/** The pushed state of one game: its current round and its last draw. */
export interface GameNews {
  round?: Round;
  drawn?: Drawn;
}

const isLater = (drawn: Drawn, than: Drawn | undefined) => (drawn.now_expect ?? "") >= (than?.now_expect ?? "");

/** Merges by server time and round number, so that late messages change nothing. */
function newest(news: GameNews, { round, drawn }: GameNews): GameNews {
  const known = news.round?.server_now_ms ?? 0;
  return {
    ...news,
    ...(round && round.server_now_ms >= known ? { round } : {}),
    ...(drawn && isLater(drawn, news.drawn) ? { drawn } : {}),
  };
}

export function withCountdown(news: GameNews, told: Countdown): GameNews {
  const { expect, state, second, close_ms, draw_ms, server_now_ms, commit } = told;
  return newest(news, { round: { next_expect: expect, state, second, close_ms, draw_ms, server_now_ms, commit } });
}

export function withSnapshot(news: GameNews, told: Lottery): GameNews {
  const { next_expect, state, second, close_ms, draw_ms, server_now_ms, commit } = told;
  const { now_expect, opencode, one, two } = told;
  return newest(news, {
    round: { next_expect, state, second, close_ms, draw_ms, server_now_ms, commit },
    drawn: { now_expect, opencode, one, two },
  });
}

export function withResult(news: GameNews, { expect, opencode, one, two }: Result): GameNews {
  return newest(news, { drawn: { now_expect: expect, opencode: [...opencode], one, two } });
}

/** A fetched game, updated with newer pushes. */
export function withNews(game: Lottery, news: GameNews | undefined): Lottery {
  return { ...game, ...newest({ round: game, drawn: game }, news ?? {}).round, ...laterDraw(game, news?.drawn) };
}

const laterDraw = (game: Lottery, drawn: Drawn | undefined) => (drawn && isLater(drawn, game) ? drawn : {});
