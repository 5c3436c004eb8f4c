import { bytesToHex } from "@noble/hashes/utils.js";
import { and, between, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { gaps, shownPlaces } from "#db/schema/lottery.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { roundAt, roundText, roundsPerDay, type RoundPlace } from "#shared/lottery/schedule.ts";
import { DAY_MS } from "#shared/time.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/*
 * Each seed of a day hashes down to all earlier ones. So each game and day keep the highest place whose commit or seed was
 * ever shown, and no place up to it is opened. A round's opening shows its commit, and marks its place; its draw shows a
 * seed of a place that is marked already.
 */

/**
 * A gap's last seeds of a day become public this long after the gap was recorded. No place of that day can be opened
 * after that, so a clock that is ahead gets a day in which it can be put right.
 */
const SHOWN_AFTER_MS = DAY_MS;

/** The highest place of a day that was shown, or 0. */
export async function shownUpTo(tx: Tx, game: Game, day: number): Promise<number> {
  const [shown] = await tx
    .select({ number: shownPlaces.number })
    .from(shownPlaces)
    .where(and(eq(shownPlaces.gameId, game.id), eq(shownPlaces.day, day)));
  return shown?.number ?? 0;
}

/** Marks a place that is being opened. Throws if it was shown before: nobody may open it. */
export async function markOpened(tx: Tx, game: Game, { day, number }: RoundPlace): Promise<void> {
  const [marked] = await tx
    .insert(shownPlaces)
    .values({ gameId: game.id, day, number })
    .onConflictDoUpdate({
      target: [shownPlaces.gameId, shownPlaces.day],
      set: { number, seed: null },
      setWhere: lt(shownPlaces.number, number),
    })
    .returning({ number: shownPlaces.number });
  if (!marked) throw new Error(`place ${number} of day ${day} was shown before, and is not opened`);
}

/**
 * Makes public what a gap would have drawn at the end of a day, where no later round of that day shows it. One day at a
 * time: each costs a whole chain.
 */
export async function showGaps(tx: Tx, seeds: Seeds, game: Game, now: number): Promise<void> {
  const { day: today, number: current } = roundAt(game, now);
  const perDay = roundsPerDay(game);
  const lastOf = sql`case when ${shownPlaces.day} = ${gaps.toDay} then ${gaps.toNumber} else ${perDay} end`;
  const isShown = sql`(${shownPlaces.number} > ${lastOf} or ${shownPlaces.seed} is not null and ${shownPlaces.number} = ${lastOf})`;
  const shown = sql`(select count(*) from ${shownPlaces} where ${shownPlaces.gameId} = ${gaps.gameId}
    and ${shownPlaces.day} between ${gaps.fromDay} and ${gaps.toDay} and ${isShown})`;
  const isOver = or(lt(gaps.toDay, today), and(eq(gaps.toDay, today), lt(gaps.toNumber, current)));
  const isDue = and(isNull(gaps.takenBackAt), lte(gaps.createdAt, now - SHOWN_AFTER_MS), isOver);
  const [gap] = await tx
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isDue, sql`${shown} < ${gaps.toDay} - ${gaps.fromDay} + 1`))
    .orderBy(gaps.id)
    .limit(1);
  if (!gap) return;
  const ofGap = and(eq(shownPlaces.gameId, game.id), between(shownPlaces.day, gap.fromDay, gap.toDay));
  const marks = new Map((await tx.select().from(shownPlaces).where(ofGap)).map((mark) => [mark.day, mark]));
  for (let day = gap.fromDay; day <= gap.toDay; day++) {
    const number = day === gap.toDay ? gap.toNumber : perDay;
    const mark = marks.get(day);
    if (mark && (mark.number > number || (mark.number === number && mark.seed !== null))) continue;
    const seed = bytesToHex(seeds.reveal(game, { day, number }));
    await tx
      .insert(shownPlaces)
      .values({ gameId: game.id, day, number, seed })
      .onConflictDoUpdate({ target: [shownPlaces.gameId, shownPlaces.day], set: { number, seed } });
    const from = roundText({ day, number: day === gap.fromDay ? gap.fromNumber : 1 });
    await addLeaf(tx, { kind: "skipped", game: game.key, from, to: roundText({ day, number }), seed, at: now });
    return;
  }
}
