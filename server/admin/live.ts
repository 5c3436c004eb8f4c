import { and, asc, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { games, rounds } from "#db/schema/lottery.ts";
import { operatorActs } from "#db/schema/operators.ts";
import { sessions } from "#db/schema/session.ts";
import { LedgerSum } from "#server/domains/ledger/ledger-sum.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import { HOUR_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { Misused, type Command } from "./command.ts";
import { countWaiting, readTrouble } from "./waiting.ts";

const ROUNDS = 60;
const SEEN_MS = 5 * MINUTE_MS;
/** The word after --ledger. */
const SUM = "sum";

export const live: Command = {
  usage: "[--ledger sum]",
  does: `Shows what goes on: the last ${ROUNDS} rounds of each game with stakes and payouts, members seen within five minutes, and what waits`,
  more: () =>
    "--ledger sum adds up all accounts too, which is 0 unless money appeared or vanished: it reads every entry.",
  reads: true,
  async run({ db, clock }, { options: { ledger } }) {
    if (ledger !== undefined && ledger !== SUM) throw new Misused(`--ledger takes nothing but ${SUM}`);
    const { read } = db;
    const now = clock.now();
    const { failed, late } = await readTrouble(read, now);
    const json = {
      time: toSeconds(now),
      members_seen: await membersSeen(read, now),
      waiting: await countWaiting(read),
      rounds_failed: failed.length,
      rounds_late: late,
      commands_failed: await commandsFailed(read, now),
      ledger_sum: ledger === undefined ? null : toDecimal(await new LedgerSum({ db }).read()),
      games: await readGames(read),
    };
    return { text: JSON.stringify(json, null, 2), json };
  },
};

const count = sql<number>`cast(count(*) as integer)`;

/** Members, not guests: each once, however many devices they have. */
async function membersSeen(read: Tx, now: number): Promise<number> {
  const members = sql<number>`cast(count(distinct ${sessions.memberId}) as integer)`;
  const isHere = and(gt(sessions.lastSeenAt, now - SEEN_MS), isNull(sessions.endedAt));
  const [row] = await read.select({ members }).from(sessions).where(isHere);
  return row!.members;
}

/** In the last hour. */
async function commandsFailed(read: Tx, now: number): Promise<number> {
  const newest = read.select().from(operatorActs).orderBy(desc(operatorActs.id)).limit(1_000).as("newest");
  const isRecent = and(eq(newest.outcome, "failed"), gt(newest.at, now - HOUR_MS));
  const [row] = await read.select({ count }).from(newest).where(isRecent);
  return row!.count;
}

async function readGames(read: Tx) {
  const rows = await read.select().from(games).orderBy(asc(games.id));
  const all = rows.map(async ({ id, key }) => {
    const newest = await read
      .select()
      .from(rounds)
      .where(eq(rounds.gameId, id))
      .orderBy(desc(rounds.day), desc(rounds.number))
      .limit(ROUNDS);
    return {
      key,
      rounds: newest.reverse().map((round) => ({
        round: roundText(round),
        draw_time: toSeconds(round.drawsAt),
        state: stateOf(round),
        bets: round.betCount,
        staked: toDecimal(round.staked),
        paid: toDecimal(round.paid),
      })),
    };
  });
  return Promise.all(all);
}

function stateOf({ failedAt, skippedAt, settledAt, drawnAt, closedAt }: typeof rounds.$inferSelect): string {
  if (failedAt !== null) return "failed";
  if (skippedAt !== null) return "skipped";
  if (settledAt !== null) return "settled";
  if (drawnAt !== null) return "drawn";
  return closedAt === null ? "open" : "closed";
}
