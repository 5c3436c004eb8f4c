import { and, eq, isNull } from "drizzle-orm";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { roundAt, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import { SECOND_MS } from "#shared/time.ts";
import { closeEarlyRound, closeRound, earlyFrom } from "./close-round.ts";
import { drawRound, isDrawDue } from "./draw-round.ts";
import type { GapReason } from "./gaps.ts";
import { openRound } from "./open-round.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";
import { ROUND_FAILED } from "./settle-round.ts";

export interface Advancing {
  /** Runs one named step, with backoff after failures, so that a failing step holds up no other. */
  attempt(name: string, work: () => Promise<void>): Promise<void>;
  /** This process has drawn a round. */
  onDrawn(roundId: number): void;
  /** Why the round at that place was not opened. */
  reasonOf(game: Game, first: RoundPlace): GapReason;
}

const ALL_AT_ONCE: Advancing = { attempt: (_name, work) => work(), onDrawn: () => {}, reasonOf: () => "down" };

/**
 * Brings a game's rounds up to the clock: closes rounds that are due, draws closed ones, opens the next. Every step is a
 * conditional write of its own, so any number of processes may do this at once, and after any break.
 */
export async function advanceGame(
  deps: Deps,
  seeds: Seeds,
  game: Game,
  { attempt, onDrawn, reasonOf }: Advancing = ALL_AT_ONCE,
): Promise<void> {
  const { db, clock, log } = deps;
  for (const { id, closedAt, closesAt, drawsAt } of await undrawn(deps, game)) {
    if (closedAt !== null) continue;
    const now = clock.now();
    const close = async () => void (await db.transact((tx) => closeRound(tx, deps, id), "fence"));
    const closeEarly = async () => {
      const isClosed = await db.transact((tx) => closeEarlyRound(tx, deps, game, id), "fence");
      if (isClosed) log.warn({ game: game.key, roundId: id }, "a round opened by a clock that was ahead is closed");
    };
    if (closesAt <= now) await attempt(`close ${id}`, close);
    else if (drawsAt > earlyFrom(game, now)) await attempt(`close ${id}`, closeEarly);
  }
  const waiting = await undrawn(deps, game);
  for (const round of waiting) {
    if (round.closedAt === null || !isDrawDue(game, round, clock.now())) continue;
    await attempt(`draw ${round.id}`, async () => {
      const result = await db.transact((tx) => drawRound(tx, deps, seeds, game, round));
      if (result === "drawn") onDrawn(round.id);
      if (result === "failed") log.error({ game: game.key, roundId: round.id }, ROUND_FAILED);
    });
  }
  const { day, number } = roundAt(game, clock.now());
  const isOpen = waiting.some((round) => round.day === day && round.number === number);
  // Usually there is nothing to do, and the writer stays free for bets.
  if (isOpen || game.paused) return;
  const open = (first: RoundPlace) => reasonOf(game, first);
  await attempt(`open ${game.key}`, async () => {
    await db.transact((tx) => openRound(tx, deps, seeds, game, open));
  });
}

function undrawn({ db }: Deps, game: Game) {
  const isWaiting = and(isNull(rounds.indexedAt), isNull(rounds.drawnAt), isNull(rounds.failedAt));
  return db.read
    .select()
    .from(rounds)
    .where(and(isWaiting, eq(rounds.gameId, game.id)))
    .orderBy(rounds.id);
}

/** How long only the process that drew a round settles it. */
const OWN_MS = 1_000;

/**
 * Drawn rounds that are not completely settled and indexed, oldest first: those in `own`, and those that the process
 * which drew them should have settled by now. Without `own`, all. Rounds that failed a check are excluded.
 */
export async function unsettledRounds(
  { db, clock }: Pick<Deps, "db" | "clock">,
  own?: ReadonlySet<number>,
): Promise<number[]> {
  const before = clock.now() - OWN_MS;
  const open = await db.read
    .select({ id: rounds.id, drawnAt: rounds.drawnAt, failedAt: rounds.failedAt })
    .from(rounds)
    // Sorted below: with `order by id` SQLite would scan all rounds.
    .where(isNull(rounds.indexedAt));
  const due = open.filter(
    ({ id, drawnAt, failedAt }) =>
      drawnAt !== null && failedAt === null && (own?.has(id) !== false || isOver(drawnAt, before)),
  );
  return due.map(({ id }) => id).sort((a, b) => a - b);
}

/** Whether the draw was long enough ago. A draw in the future came from a clock that was ahead. */
const isOver = (drawnAt: number, before: number): boolean => drawnAt <= before || drawnAt > before + 2 * OWN_MS;

/** When the game needs `advanceGame` next: the round's close, its draw, or the next opening. */
export function nextDueAt(game: Game, now: number): number {
  const { closesAt, drawsAt } = spanOf(game, roundAt(game, now));
  return now < closesAt ? closesAt : Math.min(drawsAt, now + game.periodS * SECOND_MS);
}
