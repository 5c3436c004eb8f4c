import { and, desc, eq, isNotNull, isNull, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { alias, placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { games, rounds } from "#db/schema/lottery.ts";
import type { Countdown } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { localText, type LocaleCode } from "#shared/locales.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { SECOND_MS } from "#shared/time.ts";
import { gameWireId } from "./read-games.ts";
import { drawView, noDice } from "./views.ts";

/** All games, each with its last dice and the round that is open or waits for its draw. */
export function listGamesNow(read: Tx): Promise<GameNow[]> {
  return allNow(read).execute();
}

export async function findGameNow(read: Tx, key: string): Promise<GameNow> {
  const [game] = await oneNow(read).execute({ key });
  if (!game) throw new Refusal("object.unknown");
  return game;
}

export type GameNow = Awaited<ReturnType<ReturnType<typeof allNow>["all"]>>[number];

const allNow = prepared((read) => gamesNow(read).orderBy(games.id).prepare());
const oneNow = prepared((read) =>
  gamesNow(read)
    .where(eq(games.key, placeholder("key")))
    .prepare(),
);

function gamesNow(read: Tx) {
  const round = alias(rounds, "round");
  const drawn = alias(rounds, "drawn");
  const isWaiting = and(isNull(rounds.indexedAt), isNull(rounds.drawnAt), isNull(rounds.failedAt));
  const unfinished = and(eq(rounds.gameId, games.id), isWaiting);
  const current = read
    .select({ id: max(rounds.id) })
    .from(rounds)
    .where(unfinished);
  const last = read
    .select({ id: rounds.id })
    .from(rounds)
    .where(and(eq(rounds.gameId, games.id), isNotNull(rounds.drawnAt)))
    .orderBy(desc(rounds.day), desc(rounds.number))
    .limit(1);
  const { id, key, name, kind, icon, periodS, paused } = games;
  const { day, number, commit, closedAt, closesAt, drawsAt } = round;
  return read
    .select({
      id,
      key,
      name,
      kind,
      icon,
      periodS,
      paused,
      round: { id: round.id, day, number, commit, closedAt, closesAt, drawsAt },
      drawn: { day: drawn.day, number: drawn.number, dice: drawn.dice },
    })
    .from(games)
    .leftJoin(round, eq(round.id, current))
    .leftJoin(drawn, eq(drawn.id, last));
}

/**
 * The round that takes bets or waits for its draw. It comes as deadlines with the server's time, so that a wrong clock on
 * the client does no harm.
 */
export function countdownView({ key, periodS, round }: GameNow, now: number): Countdown {
  const paused = { expect: null, state: "paused", second: 0, close_ms: null, draw_ms: null, commit: null } as const;
  // A clock that was ahead may have opened a future round.
  const isToCome = round?.closedAt === null && now < round.drawsAt - periodS * SECOND_MS;
  if (!round || isToCome) return { key, ...paused, server_now_ms: now };
  const isOpen = round.closedAt === null && now < round.closesAt;
  return {
    key,
    expect: roundText(round),
    state: isOpen ? "open" : "drawing",
    second: isOpen ? Math.ceil((round.closesAt - now) / 1000) : 0,
    close_ms: round.closesAt,
    draw_ms: round.drawsAt,
    server_now_ms: now,
    commit: round.commit,
  };
}

/** A game with its round and its last dice, as getLotteryInfo returns it. */
export function lotteryView(game: GameNow, now: number, locale: LocaleCode): Lottery {
  const { drawn } = game;
  const { expect, ...countdown } = countdownView(game, now);
  return {
    id: gameWireId(game),
    name: localText(game.name, locale),
    ico: game.icon,
    class: rulesOf(game.kind).classKey,
    kind: game.kind,
    period: game.periodS,
    now_expect: drawn ? roundText(drawn) : null,
    ...(drawn ? drawView(game.kind, drawn.dice!) : noDice),
    next_expect: expect,
    ...countdown,
  };
}
