import { and, eq, gt, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logHeads, logLeaves, logRounds } from "#db/schema/log.ts";
import { rounds } from "#db/schema/lottery.ts";
import { currentLog } from "./add-leaf.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { keyOfRound, type RoundSubject } from "./round-keys.ts";

/** The number of a round's closing in the log, once it has one. */
async function closingNumber(read: Tx, subject: RoundSubject): Promise<number | null> {
  const [leaf] = await read
    .select({ number: logLeaves.number })
    .from(logLeaves)
    .where(and(eq(logLeaves.log, currentLog), eq(logLeaves.key, keyOfRound("close", subject))));
  return leaf?.number ?? null;
}

/**
 * Whether everybody was told which bets of a round count: a head that was signed and announced holds its closing. Rounds
 * that were opened before there was a log are not waited for.
 */
export async function isClosingTold(read: Tx, roundId: number, subject: RoundSubject): Promise<boolean> {
  const isRound = eq(logRounds.roundId, roundId);
  const [stated] = await read.select({ root: logRounds.betsRoot }).from(logRounds).where(isRound);
  if (!stated) return true;
  const number = stated.root === null ? null : await closingNumber(read, subject);
  if (number === null) return false;
  const [head] = await read
    .select({ size: logHeads.size })
    .from(logHeads)
    .where(and(eq(logHeads.log, currentLog), isNotNull(logHeads.announcedAt), gt(logHeads.size, number)))
    .limit(1);
  return head !== undefined;
}

/** Whether rounds of a game that a wrong clock had opened, and nobody bet on, are still to be told as closed. */
export async function areSkipsTold(read: Tx, game: { id: number; key: string }): Promise<boolean> {
  const skipped = await read
    .select({ id: rounds.id, day: rounds.day, number: rounds.number })
    .from(logRounds)
    .innerJoin(rounds, eq(rounds.id, logRounds.roundId))
    .where(and(eq(rounds.gameId, game.id), isNotNull(rounds.skippedAt)));
  for (const { id, ...place } of skipped) {
    if (!(await isClosingTold(read, id, { game: game.key, round: roundText(place) }))) return false;
  }
  return true;
}
