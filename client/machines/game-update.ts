import type { Countdown, Result } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

type Round = Pick<
  Lottery,
  "next_expect" | "state" | "second" | "close_ms" | "draw_ms" | "server_now_ms" | "commit" | "pause"
>;
type Drawn = Pick<Lottery, "now_expect" | "opencode" | "one" | "two">;

/** The pushed state of one game: its current round and its last draw. */
export interface GameUpdate {
  round?: Round;
  drawn?: Drawn;
}

const isLater = (drawn: Drawn, than: Drawn | undefined) => (drawn.now_expect ?? "") >= (than?.now_expect ?? "");

/** Merges by server time and round number, so that late messages change nothing. */
function newest(update: GameUpdate, { round, drawn }: GameUpdate): GameUpdate {
  const known = update.round?.server_now_ms ?? 0;
  return {
    ...update,
    ...(round && round.server_now_ms >= known ? { round } : {}),
    ...(drawn && isLater(drawn, update.drawn) ? { drawn } : {}),
  };
}

export function withCountdown(update: GameUpdate, message: Countdown): GameUpdate {
  const { expect, state, second, close_ms, draw_ms, server_now_ms, commit, pause } = message;
  const times = { second, close_ms, draw_ms, server_now_ms };
  return newest(update, { round: { next_expect: expect, state, ...times, commit, pause } });
}

export function withSnapshot(update: GameUpdate, message: Lottery): GameUpdate {
  const { next_expect, state, second, close_ms, draw_ms, server_now_ms, commit, pause } = message;
  const { now_expect, opencode, one, two } = message;
  return newest(update, {
    round: { next_expect, state, second, close_ms, draw_ms, server_now_ms, commit, pause },
    drawn: { now_expect, opencode, one, two },
  });
}

export function withResult(update: GameUpdate, { expect, opencode, one, two }: Result): GameUpdate {
  return newest(update, { drawn: { now_expect: expect, opencode: [...opencode], one, two } });
}

/** A fetched game, updated with newer pushes. */
export function withUpdate(game: Lottery, update: GameUpdate | undefined): Lottery {
  return { ...game, ...newest({ round: game, drawn: game }, update ?? {}).round, ...laterDraw(game, update?.drawn) };
}

const laterDraw = (game: Lottery, drawn: Drawn | undefined) => (drawn && isLater(drawn, game) ? drawn : {});
