import { and, desc, eq, isNotNull, isNull, max, min, ne } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { alias, placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { games, rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Countdown } from "#shared/contract/events.ts";
import { RECENT_DRAWS, type Lottery } from "#shared/contract/lottery.ts";
import { localTexts, type LocaleCode } from "#shared/locales.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { modeAt, NO_BEACON } from "#shared/lottery/beacon.ts";
import { currentPause, isPausedAt } from "#shared/lottery/pauses.ts";
import { ordinalOf, roundAt, roundText } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { SECOND_MS } from "#shared/time.ts";
import { allBeaconChanges, beaconChangesByKey, beaconChangesOf } from "./read-beacon-changes.ts";
import { gameWireId } from "./read-games.ts";
import { allPauses, pausesByKey, pausesOf, pauseView } from "./read-pauses.ts";
import { drawView, noDice } from "./views.ts";

/** All games, each with its last draws and the round that is open or waits for its draw. */
export async function listGamesNow(read: Tx): Promise<GameNow[]> {
  const asked = [allNow(read).execute(), allPauses(read).execute(), allBeaconChanges(read).execute()] as const;
  const [all, paused, changed] = await Promise.all(asked);
  return Promise.all(
    all.map(async (game) => ({
      ...game,
      pauses: pausesOf(game, paused),
      beaconChanges: beaconChangesOf(game, changed),
      drawn: await lastDrawn(read).execute({ game: game.id }),
    })),
  );
}

export async function findGameNow(read: Tx, key: string): Promise<GameNow> {
  const [[game], paused, changed] = await Promise.all([
    oneNow(read).execute({ key }),
    pausesByKey(read).execute({ key }),
    beaconChangesByKey(read).execute({ key }),
  ]);
  if (!game) throw new Refusal("object.unknown");
  const drawn = await lastDrawn(read).execute({ game: game.id });
  return { ...game, pauses: pausesOf(game, paused), beaconChanges: beaconChangesOf(game, changed), drawn };
}

type GameRow = Awaited<ReturnType<ReturnType<typeof allNow>["all"]>>[number];
export type GameNow = GameRow & {
  pauses: ReturnType<typeof pausesOf>;
  beaconChanges: ReturnType<typeof beaconChangesOf>;
  /** Newest first; `RECENT_DRAWS` at most. */
  drawn: Awaited<ReturnType<ReturnType<typeof lastDrawn>["all"]>>;
};

/** A beacon that comes later than this after its draw was due is late, and the table says so. */
export const LATE_BEACON_MS = 3_000;

const allNow = prepared((read) => gamesNow(read).orderBy(games.id).prepare());
const oneNow = prepared((read) =>
  gamesNow(read)
    .where(eq(games.key, placeholder("key")))
    .prepare(),
);

const lastDrawn = prepared((read) =>
  read
    .select({ day: rounds.day, number: rounds.number, dice: rounds.dice })
    .from(rounds)
    .where(and(eq(rounds.gameId, placeholder("game")), isNotNull(rounds.drawnAt)))
    .orderBy(desc(rounds.day), desc(rounds.number))
    .limit(RECENT_DRAWS)
    .prepare(),
);

/** Neither drawn nor failed, and its stakes do not go back. */
const isWaiting = and(
  isNull(rounds.indexedAt),
  isNull(rounds.drawnAt),
  isNull(rounds.failedAt),
  isNull(rounds.refundedAt),
);

function gamesNow(read: Tx) {
  const round = alias(rounds, "round");
  const unfinished = and(eq(rounds.gameId, games.id), isWaiting);
  const current = read
    .select({ id: max(rounds.id) })
    .from(rounds)
    .where(unfinished);
  const awaited = alias(rounds, "awaited");
  const awaiting = read
    .select({ id: min(rounds.id) })
    .from(rounds)
    .where(and(unfinished, isNotNull(rounds.closedAt), ne(rounds.beaconRule, NO_BEACON)));
  const { id, key, name, kind, icon, periodS, closeS } = games;
  const { day, number, commit, closedAt, closesAt, drawsAt, beaconRule } = round;
  return read
    .select({
      id,
      key,
      name,
      kind,
      icon,
      periodS,
      closeS,
      round: { id: round.id, day, number, commit, closedAt, closesAt, drawsAt, beaconRule },
      awaited: { day: awaited.day, number: awaited.number, drawsAt: awaited.drawsAt },
    })
    .from(games)
    .leftJoin(round, eq(round.id, current))
    .leftJoin(awaited, eq(awaited.id, awaiting));
}

/**
 * The round that takes bets or waits for its draw. It comes as deadlines with the server's time, so that a wrong clock on
 * the client does no harm.
 */
export function countdownView(game: GameNow, now: number): Countdown {
  const { key, periodS, round } = game;
  const pause = pauseView(currentPause(game, game.pauses, ordinalOf(game, roundAt(game, now))));
  const paused = { expect: null, state: "paused", second: 0, close_ms: null, draw_ms: null, commit: null } as const;
  // A clock that was ahead may have opened a future round.
  const isToCome = round?.closedAt === null && now < round.drawsAt - periodS * SECOND_MS;
  const mode = round?.beaconRule ?? modeAt(game.beaconChanges, ordinalOf(game, roundAt(game, now)));
  const beacon = mode === NO_BEACON ? "none" : "drand";
  const isAwaited = game.awaited !== null && now >= game.awaited.drawsAt + LATE_BEACON_MS;
  const said = {
    server_now_ms: now,
    beacon,
    awaits_beacon: isAwaited ? roundText(game.awaited!) : null,
    pause,
  } as const;
  if (!round || isToCome) return { key, ...paused, ...said };
  const isOpen = round.closedAt === null && now < round.closesAt;
  return {
    key,
    expect: roundText(round),
    state: isOpen ? "open" : "drawing",
    second: isOpen ? Math.ceil((round.closesAt - now) / 1000) : 0,
    close_ms: round.closesAt,
    draw_ms: round.drawsAt,
    commit: round.commit,
    ...said,
  };
}

/** Whether the round of that moment is not opened because of a pause. */
export const isPausedNow = (game: GameNow, now: number): boolean =>
  isPausedAt(game.pauses, ordinalOf(game, roundAt(game, now)));

/** A game with its round and its last draws, as getLotteryInfo returns it. */
export function lotteryView(game: GameNow, { clock, text }: Pick<Deps, "clock" | "text">, locale: LocaleCode): Lottery {
  const { classKey } = rulesOf(game.kind);
  const [last] = game.drawn;
  const { expect, ...countdown } = countdownView(game, clock.now());
  const reason = countdown.pause && game.pauses.at(-1)!.reason;
  return {
    id: gameWireId(game),
    ...localTexts({ name: game.name, pause_reason: reason ?? "" }, locale),
    ico: game.icon,
    class: classKey,
    class_name: text(locale, `game.class.${classKey}`),
    kind: game.kind,
    period: game.periodS,
    now_expect: last ? roundText(last) : null,
    ...(last ? drawView(game.kind, last.dice!) : noDice),
    recent: game.drawn.map((round) => ({ expect: roundText(round), opencode: [...round.dice!] })),
    next_expect: expect,
    ...countdown,
    ...(reason === null && { pause_reason: null }),
  };
}
