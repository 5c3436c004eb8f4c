import { count, like } from "drizzle-orm";
import { connect } from "#db/connect.ts";
import { logLeaves } from "#db/schema/log.ts";
import { bets } from "#db/schema/bets.ts";
import { START } from "#server/bench/database.ts";
import { OPEN_ROUND } from "#server/bench/fill-past.ts";
import { benchReceipts } from "#server/bench/parts/bench-receipts.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";

/** Starts the log of a database that the bench has filled, and bets in its open round. Returns what is there then. */
export async function betInPast(database: string): Promise<{ openings: number; bets: number }> {
  const clock = { kind: "scaled", from: START, startedAt: Date.now(), speed: 1 } as const;
  const writer = new URL("../../server/writer/sqlite-main.ts", import.meta.url);
  const onFatal = (error: Error) => {
    throw error;
  };
  const db = await connect(database, {
    writer,
    postgresWork: () => import("#server/writer/postgres.ts"),
    clock,
    onFatal,
  });
  try {
    const bet = { memberId: 1, roundId: OPEN_ROUND, mask: 1n, stake: 100, total: 100, key: "a", requestHash: "" };
    const answer = await new BetQueue(betBookOf(db), await benchReceipts(db)).place(bet);
    if ("refused" in answer) throw new Error(answer.refused);
    const isOpening = like(logLeaves.text, '%"kind":"open"%');
    const [opening] = await db.read.select({ openings: count() }).from(logLeaves).where(isOpening);
    const [row] = await db.read.select({ bets: count() }).from(bets);
    return { ...opening!, ...row! };
  } finally {
    await db.close();
  }
}
