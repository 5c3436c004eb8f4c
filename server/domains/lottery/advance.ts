import { and, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { untoldGames } from "#server/domains/log/told-closings.ts";
import {
  beaconAfter,
  chainOfMode,
  isTooFar,
  modeAt,
  namedBeacon,
  signedAt,
  timetableUnder,
} from "#shared/lottery/beacon.ts";
import { isPausedAt } from "#shared/lottery/pauses.ts";
import { ordinalOf, roundAt, spanOf, type RoundPlace, type Timetable } from "#shared/lottery/schedule.ts";
import { SECOND_MS } from "#shared/time.ts";
import { closeEarlyRound, closeRound, earlyFrom } from "./close-round.ts";
import { drawRound, isDrawDue } from "./draw-round.ts";
import type { Range, ReasonsOf } from "./gaps.ts";
import { openRound } from "./open-round.ts";
import type { Game } from "./read-games.ts";
import { readBeaconChanges } from "./read-beacon-changes.ts";
import { readPauses } from "./read-pauses.ts";
import { refundRound } from "./refund-round.ts";
import type { Seeds } from "./seeds.ts";
import { ROUND_FAILED } from "./settle-round.ts";

export interface Advancing {
  /** Runs one named step, with backoff after failures, so that a failing step holds up no other. */
  attempt(name: string, work: () => Promise<void>): Promise<void>;
  /** The signature that a rule asks for, as `signatureFor` gives it. */
  signatureFor(rule: string): string | null;
  /** A draw is due, but its beacon is not here. */
  onWaiting(round: { id: number; gameId: number; drawsAt: number }): void;
  /** Whether this process's clock is right enough to open that round. */
  mayOpen(game: Game, place: RoundPlace): boolean;
  /** This process has drawn a round, or said that its stakes go back. */
  onDrawn(roundId: number): void;
  /** This process could open that round now. If it is not opened in the end, it had to wait. */
  onOpening(game: Game, place: RoundPlace): void;
  /** Why rounds were not opened. */
  reasonsOf(game: Game, missed: Range): ReturnType<ReasonsOf>;
  /** Publishes missing anchors of the game: no round of a day without one is opened. */
  anchor(game: Game): Promise<void>;
}

/**
 * Brings games' rounds up to the clock: closes rounds that are due, has the log state which bets count, draws, and opens
 * the next. What closes together is told by one head; games with nothing to tell do not wait for it. Every step is a
 * conditional write of its own, so any number of processes may do this at once, and after any break.
 */
export async function advanceGames(
  deps: Deps,
  seeds: Seeds,
  games: readonly Game[],
  advancing: Advancing,
): Promise<void> {
  const open = await undrawn(deps);
  for (const game of games) await closeDue(deps, game, open.get(game.id) ?? [], advancing);
  const waiting = await undrawn(deps);
  const closed = games.flatMap((game) =>
    (waiting.get(game.id) ?? [])
      .filter(({ closedAt }) => closedAt !== null)
      .map(({ id, gameId, day, number }) => ({ id, gameId, day, number, game: game.key })),
  );
  const goOn = async (some: readonly Game[]) => {
    for (const game of some) await drawWaiting(deps, seeds, game, waiting.get(game.id) ?? [], advancing);
    for (const game of some) {
      await advancing.anchor(game);
      await openNext(deps, seeds, game, waiting.get(game.id) ?? [], advancing);
    }
  };
  let untold = await untoldGames(deps.db.read, closed);
  const [telling, told] = [games.filter(({ id }) => untold.has(id)), games.filter(({ id }) => !untold.has(id))];
  await goOn(told);
  // A step that failed ends with a run that has nothing to do: another game's may have told both.
  for (const { id, key } of games)
    await advancing.attempt(`log ${key}`, async () => {
      if (!untold.has(id)) return;
      await deps.publicLog.advance().finally(async () => {
        untold = await untoldGames(deps.db.read, closed);
      });
    });
  await goOn(telling);
}

/** Closes rounds whose time for bets is over, and those that a clock ahead of the time had opened. */
async function closeDue(deps: Deps, game: Game, open: readonly Waiting[], { attempt }: Advancing): Promise<void> {
  const { db, clock, log } = deps;
  for (const { id, closedAt, closesAt, drawsAt } of open) {
    if (closedAt !== null) continue;
    const now = clock.now();
    const close = async () => void (await db.transact((tx) => closeRound(tx, deps, id), "fence"));
    const closeEarly = async () => {
      const isClosed = await db.transact((tx) => closeEarlyRound(tx, deps, game, id), "fence");
      if (isClosed)
        log.warn({ game: game.key, roundId: id }, "closed a round that was opened while the clock was ahead");
    };
    if (closesAt <= now) await attempt(`close ${id}`, close);
    else if (drawsAt > earlyFrom(game, now)) await attempt(`close ${id}`, closeEarly);
  }
}

/** Opens the round of the moment, unless it is there. */
async function openNext(
  deps: Deps,
  seeds: Seeds,
  game: Game,
  waiting: readonly Waiting[],
  { attempt, onOpening, mayOpen, reasonsOf }: Advancing,
): Promise<void> {
  const { db, clock } = deps;
  const place = roundAt(game, clock.now());
  const isOpen = waiting.some(({ day, number }) => day === place.day && number === place.number);
  // Usually there is nothing to do, and the writer stays free for bets.
  if (isOpen || isPausedAt(await readPauses(db.read, game), ordinalOf(game, place)) || !mayOpen(game, place)) return;
  const { closesAt } = spanOf(await timetableAt(db.read, game, place), place);
  if (clock.now() < closesAt) onOpening(game, place);
  await attempt(`open ${game.key}`, async () => {
    await db.transact((tx) => openRound(tx, deps, seeds, game, (missed) => reasonsOf(game, missed)));
  });
}

/** Draws closed rounds that are due, and whose beacon is here if their rule names one. */
async function drawWaiting(
  deps: Deps,
  seeds: Seeds,
  game: Game,
  waiting: readonly Waiting[],
  { attempt, signatureFor, onWaiting, onDrawn }: Advancing,
): Promise<void> {
  const { db, clock, log } = deps;
  for (const round of waiting) {
    if (round.closedAt === null) continue;
    if (await refundFar(deps, game, round, { attempt, onDrawn })) continue;
    // Asked for before the draw is due, so that it is here by then.
    const signature = signatureFor(round.beaconRule);
    if (!isDrawDue(game, round, clock.now())) continue;
    if (signature === null) {
      onWaiting(round);
      continue;
    }
    await attempt(`draw ${round.id}`, async () => {
      const result = await db.transact((tx) => drawRound(tx, deps, seeds, game, round, signature));
      if (result === "drawn") onDrawn(round.id);
      if (result === "failed") log.error({ game: game.key, roundId: round.id }, ROUND_FAILED);
    });
  }
}

/** Returns the stakes of a round whose beacon lies too far ahead, once the newest beacon has confirmed this clock. */
async function refundFar(
  deps: Deps,
  game: Game,
  round: Waiting,
  { attempt, onDrawn }: Pick<Advancing, "attempt" | "onDrawn">,
): Promise<boolean> {
  const { db, clock, beacons, log } = deps;
  if (!isTooFar(round.beaconRule, beacons.chains, clock.now())) return false;
  beacons.look(beacons.chains.find(({ hash }) => hash === namedBeacon(round.beaconRule)!.chain)!);
  if (!beacons.isClockConfirmed) return true;
  await attempt(`refund ${round.id}`, async () => {
    if (!(await db.transact((tx) => refundRound(tx, deps, game, round)))) return;
    log.warn({ game: game.key, roundId: round.id }, "stakes go back: the round's beacon lies more than an hour ahead");
    onDrawn(round.id);
  });
  return true;
}

type Waiting = typeof rounds.$inferSelect;

/** The rounds that wait for their end, by game, oldest first. */
async function undrawn({ db }: Deps): Promise<Map<number, Waiting[]>> {
  const isWaiting = and(
    isNull(rounds.indexedAt),
    isNull(rounds.drawnAt),
    isNull(rounds.failedAt),
    isNull(rounds.refundedAt),
  );
  const waiting = await db.read.select().from(rounds).where(isWaiting);
  // Sorted here: with `order by id` SQLite would scan all rounds.
  return Map.groupBy(
    waiting.toSorted((a, b) => a.id - b.id),
    ({ gameId }) => gameId,
  );
}

/** When a round was drawn, or its stakes went back. */
const ended = sql<number | null>`coalesce(${rounds.drawnAt}, ${rounds.refundedAt})`.mapWith(
  (at: number | string | null) => (at === null ? null : Number(at)),
);

/** How long only the process that drew a round settles it. */
const OWN_MS = 1_000;

/**
 * Ended rounds that are not completely settled and indexed, oldest first: those in `own`, and those that the process
 * which drew them should have settled by now. Without `own`, all. Rounds that failed a check are excluded.
 */
export async function unsettledRounds(
  { db, clock }: Pick<Deps, "db" | "clock">,
  own?: ReadonlySet<number>,
): Promise<number[]> {
  const before = clock.now() - OWN_MS;
  const open = await db.read
    .select({ id: rounds.id, endedAt: ended, failedAt: rounds.failedAt })
    .from(rounds)
    // Sorted below: with `order by id` SQLite would scan all rounds.
    .where(isNull(rounds.indexedAt));
  const due = open.filter(
    ({ id, endedAt, failedAt }) =>
      endedAt !== null && failedAt === null && (own?.has(id) !== false || isOver(endedAt, before)),
  );
  return due.map(({ id }) => id).sort((a, b) => a - b);
}

/** Whether the draw was long enough ago. A draw in the future came from a clock that was ahead. */
const isOver = (drawnAt: number, before: number): boolean => drawnAt <= before || drawnAt > before + 2 * OWN_MS;

/** A beacon is public some tenths of a second after its time: whoever asks earlier asks twice. */
const PUBLISHED_MS = 400;

/** When the game needs `advanceGames` next: the round's close, its beacon, its draw, or the next opening. */
export async function nextDueAt(
  { db, beacons }: Pick<Deps, "db" | "beacons">,
  game: Game,
  now: number,
): Promise<number> {
  const place = roundAt(game, now);
  const { closesAt, drawsAt } = spanOf(await timetableAt(db.read, game, place), place);
  if (now < closesAt) return closesAt;
  const chain = chainOfMode(modeAt(await readBeaconChanges(db.read, game), ordinalOf(game, place)), beacons.chains);
  const askAt = chain ? signedAt(chain, beaconAfter(chain, closesAt)) + PUBLISHED_MS : 0;
  return Math.min(askAt > now ? askAt : drawsAt, now + game.periodS * SECOND_MS);
}

/** A game's timetable at a place: with a beacon, rounds close earlier. */
const timetableAt = async (read: Tx, game: Game, place: RoundPlace): Promise<Timetable> =>
  timetableUnder(modeAt(await readBeaconChanges(read, game), ordinalOf(game, place)), game);
