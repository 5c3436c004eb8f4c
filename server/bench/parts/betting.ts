import { benchReceipts } from "./bench-receipts.ts";
import { randomInt, randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import type { Db } from "#db/db.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";
import { START } from "#server/bench/database.ts";
import { nowMs, secondsSince } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";
import { OPEN_ROUND } from "#server/bench/fill-past.ts";

interface Bettors {
  /** The members 1..`members` bet, a different one each time, all over the table. */
  members: number;
  inFlight: number;
  seconds: number;
}

let db: Db | undefined;
let queue: BetQueue | undefined;
let placed = 0;

/** What a server process does with bets, without HTTP. */
const methods = {
  async open(url: string): Promise<void> {
    const clock = { kind: "scaled", from: START, startedAt: Date.now(), speed: 1 } as const;
    const writer = new URL("../../writer/sqlite-main.ts", import.meta.url);
    const postgresWork = () => import("#server/writer/postgres.ts");
    const onFatal = (error: Error) => {
      throw error;
    };
    db = await connect(url, { writer, postgresWork, clock, onFatal });
    queue = new BetQueue(betBookOf(db), await benchReceipts(db));
    placed = randomInt(1e6);
  },

  /** Bets per second. Throws when one was refused. */
  async place({ members, inFlight, seconds }: Bettors): Promise<number> {
    const [from, begunMs] = [placed, nowMs()];
    // A step coprime to the number of members visits them all, and never neighbours.
    const member = (n: number) => ((n * 7_919) % members) + 1;
    async function placeOnAndOn(): Promise<void> {
      while (secondsSince(begunMs) < seconds) {
        const bet = { memberId: member(placed++), roundId: OPEN_ROUND, mask: 1n, stake: 100, total: 100 };
        const answer = await queue!.place({ ...bet, key: randomUUID(), requestHash: "" });
        if ("refused" in answer) throw new Error(`a bet was refused: ${answer.refused}`);
      }
    }
    await Promise.all(Array.from({ length: inFlight }, placeOnAndOn));
    return (placed - from) / secondsSince(begunMs);
  },
};

export type BettingPart = typeof methods;
serveMethods(methods);
