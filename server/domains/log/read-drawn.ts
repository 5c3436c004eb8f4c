import { and, asc, eq, gt, gte, isNotNull, isNull, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { gaps, rounds, type games } from "#db/schema/lottery.ts";
import { roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import { leafIn, readLeaves } from "./read-log.ts";
import { keyOfRound } from "./round-keys.ts";

const MOST_ROUNDS = 1_000;

type Game = Pick<typeof games.$inferSelect, "id" | "key">;

/** The drawn rounds and the gaps of a game in order, from a place on. */
export async function readDrawn(read: Tx, game: Game, from: RoundPlace) {
  const entries = [...(await readPlayed(read, game, from)), ...(await readMissed(read, game, from))];
  return entries
    .sort((a, b) => a.at.day - b.at.day || a.at.number - b.at.number)
    .slice(0, MOST_ROUNDS)
    .map(({ entry }) => entry);
}

async function readPlayed(read: Tx, game: Game, from: RoundPlace) {
  const isFrom = or(gt(rounds.day, from.day), and(eq(rounds.day, from.day), gte(rounds.number, from.number)));
  const drawn = await read
    .select()
    .from(rounds)
    .where(and(eq(rounds.gameId, game.id), isNotNull(rounds.drawnAt), isFrom))
    .orderBy(asc(rounds.day), asc(rounds.number))
    .limit(MOST_ROUNDS);
  const keyOf = (round: RoundPlace) => keyOfRound("close", { game: game.key, round: roundText(round) });
  const closings = await readLeaves(read, drawn.map(keyOf));
  return drawn.map((round) => {
    const { day, number, commit, seed, beaconRule: rule, beacon, dice, settledAt, paid } = round;
    const leaf = closings.get(keyOf(round));
    const closing = leaf && leafIn("close", leaf);
    const bets = { bets: closing?.bets ?? round.betCount, bets_root: closing?.bets_root ?? null };
    const money = {
      stake: toDecimal(closing?.stake ?? round.staked),
      payout: settledAt === null ? null : toDecimal(paid),
    };
    const drawnFrom = { commit, seed: seed!, rule, beacon, opencode: dice! };
    const entry = { expect: roundText(round), index: number, ...drawnFrom, ...bets, ...money };
    return { at: { day, number }, entry };
  });
}

async function readMissed(read: Tx, game: Game, from: RoundPlace) {
  const reaches = or(gt(gaps.toDay, from.day), and(eq(gaps.toDay, from.day), gte(gaps.toNumber, from.number)));
  const missed = await read
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt), reaches))
    .orderBy(asc(gaps.fromDay), asc(gaps.fromNumber))
    .limit(MOST_ROUNDS);
  return missed.map(({ fromDay, fromNumber, toDay, toNumber, reason }) => {
    const at = { day: fromDay, number: fromNumber };
    const ends = { gap_from: roundText(at), gap_to: roundText({ day: toDay, number: toNumber }) };
    return { at, entry: { ...ends, reason } };
  });
}
