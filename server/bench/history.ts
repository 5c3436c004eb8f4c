import { benchReceipts } from "./parts/bench-receipts.ts";
import { randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";
import { clearKeys, createDatabase, START, type BenchDatabase } from "./database.ts";
import { interleave, secondsSince, nowMs } from "./measure.ts";
import { fillPast, OPEN_ROUND } from "./fill-past.ts";
import { perSecond, ratioLine, type Row } from "./report.ts";

const MEMBERS = 10_000;
const LONG = 3_000_000;
const SHORT = 1_000;
const IN_FLIGHT = 256;
const PAIRS = 7;
const BETS = 25_000;

/** Bets per second on a database with a long history, and on one with almost none. */
export const historyRow: Row = async (log) => {
  const begunMs = nowMs();
  using long = await createDatabase(MEMBERS, (raw) => fillPast(raw, MEMBERS, LONG));
  using short = await createDatabase(MEMBERS, (raw) => fillPast(raw, MEMBERS, SHORT));
  log(`wrote ${LONG.toLocaleString("en")} bets in ${secondsSince(begunMs).toFixed(0)} s`);

  const found = await interleave(
    PAIRS,
    () => betsPerSecond(long),
    () => betsPerSecond(short),
  );
  log(`${perSecond(found.ours)} against ${perSecond(found.baseline)}`);
  const what = "bets/s with 3 000 000 bets of history ÷ with 1 000";
  return [ratioLine(what, found, perSecond, { better: "more", target: 0.95 })];
};

/** Bets of members all over the table, through the queue that orders use. */
async function betsPerSecond({ file }: BenchDatabase): Promise<number> {
  const clock = { kind: "scaled", from: START, startedAt: Date.now(), speed: 1 } as const;
  const onFatal = (error: Error) => {
    throw error;
  };
  const writer = new URL("../writer/sqlite-main.ts", import.meta.url);
  const postgresWork = () => import("#server/writer/postgres.ts");
  const db = await connect(file, { writer, postgresWork, clock, onFatal });
  const queue = new BetQueue(betBookOf(db), await benchReceipts(db));
  let placed = 0;
  // A step coprime to the number of members visits them all, and never neighbours.
  const member = (n: number) => ((n * 7_919) % MEMBERS) + 1;

  async function placeUntil(last: number): Promise<void> {
    while (placed < last) {
      const bet = { memberId: member(placed++), roundId: OPEN_ROUND, mask: 1n, stake: 100, total: 100 };
      const answer = await queue.place({ ...bet, key: randomUUID(), requestHash: "" });
      if ("refused" in answer) throw new Error(`a bet was refused: ${answer.refused}`);
    }
  }
  const place = (last: number) => Promise.all(Array.from({ length: IN_FLIGHT }, () => placeUntil(last)));

  await place(BETS / 5);
  const begunMs = nowMs();
  await place(BETS / 5 + BETS);
  const seconds = secondsSince(begunMs);
  await db.close();
  clearKeys(file);
  return BETS / seconds;
}
