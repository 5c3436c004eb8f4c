import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import type { Countdown } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { localText, type LocaleCode } from "#shared/locales.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { gameWireId, type Game } from "./read-games.ts";
import { diceView, noDice } from "./views.ts";

export type Round = typeof rounds.$inferSelect;

/** The round that is open or waits for its draw. */
export async function currentRound(read: Tx, gameId: number): Promise<Round | undefined> {
  const [round] = await read
    .select()
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), isNull(rounds.drawnAt), eq(rounds.gameId, gameId)))
    .orderBy(desc(rounds.id))
    .limit(1);
  return round;
}

async function lastDrawn(read: Tx, gameId: number): Promise<Round | undefined> {
  const [round] = await read
    .select()
    .from(rounds)
    .where(and(eq(rounds.gameId, gameId), isNotNull(rounds.drawnAt)))
    .orderBy(desc(rounds.day), desc(rounds.number))
    .limit(1);
  return round;
}

/**
 * Where a game stands: the round that takes bets or waits for its draw, as
 * deadlines and the server's clock, so that a wrong clock at the reader's does no harm.
 */
export async function readCountdown(read: Tx, { clock }: Pick<Deps, "clock">, game: Game): Promise<Countdown> {
  const round = await currentRound(read, game.id);
  const now = clock.now();
  const paused = { expect: null, state: "paused", second: 0, close_ms: null, draw_ms: null, commit: null } as const;
  if (!round) return { key: game.key, ...paused, server_now_ms: now };
  const isOpen = round.closedAt === null && now < round.closesAt;
  return {
    key: game.key,
    expect: roundText(round),
    state: isOpen ? "open" : "drawing",
    second: isOpen ? Math.ceil((round.closesAt - now) / 1000) : 0,
    close_ms: round.closesAt,
    draw_ms: round.drawsAt,
    server_now_ms: now,
    commit: round.commit,
  };
}

/** A game with its round and its last dice, as getLotteryInfo tells it. */
export async function readLottery(
  read: Tx,
  deps: Pick<Deps, "clock">,
  game: Game,
  locale: LocaleCode,
): Promise<Lottery> {
  const drawn = await lastDrawn(read, game.id);
  const { expect, ...countdown } = await readCountdown(read, deps, game);
  return {
    id: gameWireId(game),
    name: localText(game.name, locale),
    ico: game.icon,
    class: GAME_KINDS[game.kind].classKey,
    period: game.periodS,
    now_expect: drawn ? roundText(drawn) : null,
    ...(drawn ? diceView(drawn.dice!) : noDice),
    next_expect: expect,
    ...countdown,
  };
}
