import type { Countdown, Result } from "#shared/contract/events.ts";
import { RECENT_DRAWS, type Lottery } from "#shared/contract/lottery.ts";

type Round = Pick<
  Lottery,
  "next_expect" | "state" | "second" | "close_ms" | "draw_ms" | "server_now_ms" | "commit" | "pause"
>;
type Drawn = Pick<Lottery, "now_expect" | "opencode" | "one" | "two">;
type Recent = Lottery["recent"];

/** The pushed state of one game: its current round and its last draws. */
export interface GameUpdate {
  round?: Round;
  drawn?: Drawn;
  recent?: Recent;
}

/** Round numbers sort chronologically. */
const merged = (known: Recent = [], told: Recent = []): Recent =>
  [...new Map([...told, ...known].map((draw) => [draw.expect, draw])).values()]
    .sort((one, other) => (one.expect < other.expect ? 1 : -1))
    .slice(0, RECENT_DRAWS);

const isLater = (drawn: Drawn, than: Drawn | undefined) => (drawn.now_expect ?? "") >= (than?.now_expect ?? "");

/** Merges by server time and round number, so that late messages change nothing. */
function newest(update: GameUpdate, { round, drawn, recent }: GameUpdate): GameUpdate {
  const known = update.round?.server_now_ms ?? 0;
  return {
    ...update,
    ...(round && round.server_now_ms >= known ? { round } : {}),
    ...(drawn && isLater(drawn, update.drawn) ? { drawn } : {}),
    ...(recent && { recent: merged(update.recent, recent) }),
  };
}

export function withCountdown(update: GameUpdate, message: Countdown): GameUpdate {
  const { expect, state, second, close_ms, draw_ms, server_now_ms, commit, pause } = message;
  const times = { second, close_ms, draw_ms, server_now_ms };
  return newest(update, { round: { next_expect: expect, state, ...times, commit, pause } });
}

/** The last draws of a game as the server just told it. */
export function drawsOf({ now_expect, opencode, one, two, recent }: Lottery): GameUpdate {
  return { drawn: { now_expect, opencode, one, two }, recent };
}

export function withSnapshot(update: GameUpdate, message: Lottery): GameUpdate {
  const { next_expect, state, second, close_ms, draw_ms, server_now_ms, commit, pause } = message;
  const round = { next_expect, state, second, close_ms, draw_ms, server_now_ms, commit, pause };
  return newest(update, { round, ...drawsOf(message) });
}

export function withResult(update: GameUpdate, { expect, opencode, one, two }: Result): GameUpdate {
  const drawn = { now_expect: expect, opencode: [...opencode], one, two };
  return newest(update, { drawn, recent: [{ expect, opencode: drawn.opencode }] });
}

/** A fetched game, updated with newer pushes. */
export function withUpdate(game: Lottery, update: GameUpdate | undefined): Lottery {
  const { round } = newest({ round: game }, update ?? {});
  const recent = merged(game.recent, update?.recent);
  return { ...game, ...round, ...laterDraw(game, update?.drawn), recent };
}

const laterDraw = (game: Lottery, drawn: Drawn | undefined) => (drawn && isLater(drawn, game) ? drawn : {});
