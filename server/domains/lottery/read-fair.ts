import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { anchors, gaps, rounds } from "#db/schema/lottery.ts";
import { parseRound, roundText } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { dayText } from "#shared/time.ts";
import type { Game } from "./read-games.ts";

/** What anybody needs to check a round. The row holds the seed only once the round is drawn. */
export async function readFairRound(read: Tx, game: Game, expect: string) {
  const place = parseRound(expect);
  const [found] = place
    ? await read
        .select({ round: rounds, anchor: anchors.anchor })
        .from(rounds)
        .innerJoin(anchors, and(eq(anchors.gameId, rounds.gameId), eq(anchors.day, rounds.day)))
        .where(and(eq(rounds.gameId, game.id), eq(rounds.day, place.day), eq(rounds.number, place.number)))
    : [];
  if (!found) throw new Refusal("object.unknown");
  const { round, anchor } = found;
  const { number: index, commit, seed, beacon, dice } = round;
  return { key: game.key, expect, kind: game.kind, index, commit, seed, beacon, opencode: dice, anchor };
}

export async function readAnchors(read: Tx, game: Game) {
  const rows = await read.select().from(anchors).where(eq(anchors.gameId, game.id)).orderBy(anchors.day);
  return rows.map(({ day, anchor }) => ({ day: dayText(day), anchor }));
}

/** Ranges of rounds that were never played, in order. */
export async function readGaps(read: Tx, game: Game) {
  const rows = await read
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt)))
    .orderBy(gaps.fromDay, gaps.fromNumber);
  return rows.map(({ fromDay, fromNumber, toDay, toNumber, reason }) => ({
    gap_from: roundText({ day: fromDay, number: fromNumber }),
    gap_to: roundText({ day: toDay, number: toNumber }),
    reason,
  }));
}
