import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { payouts, rounds } from "#db/schema/index.ts";
import { orderOf, SURE, takenOf, type BookWorld } from "./book-world.ts";

const MEMBERS = 25_000;
const MANY = 100_000;
/** Bets of one batch, and batches under way at once. */
const BATCH = 500;
const AT_ONCE = 4;
/** A job that did all at once would block for several hundred. */
const LONGEST_BLOCK_MS = 60;

const totalMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

/**
 * What work costs in processor time, which a busy machine does not lengthen: all of it besides this thread, and the
 * longest that this thread blocked its event loop.
 */
async function costOf(work: () => Promise<void>): Promise<{ besideMs: number; blockMs: number }> {
  const own = () => totalMs(process.threadCpuUsage());
  const connection = () => totalMs(process.cpuUsage()) - own();
  let blockMs = 0;
  let last = own();
  const startedAt = connection();
  const look = () => {
    blockMs = Math.max(blockMs, own() - last);
    last = own();
  };
  const looking = setInterval(look, 1);
  await work();
  look();
  clearInterval(looking);
  return { besideMs: connection() - startedAt, blockMs };
}

/** Rounds with very many bets. */
export function describeSettlingMany(open: () => Promise<BookWorld>): void {
  let w: BookWorld;
  let members: number[];
  beforeEach(async () => {
    w = await open();
    members = await w.members(MEMBERS, 1_000_000);
  });
  afterEach(() => w.end());

  async function place(roundId: number, count: number): Promise<void> {
    const batches = Array.from({ length: count / BATCH }, (_, batch) =>
      Array.from({ length: BATCH }, (_, i) => orderOf(members[(batch * BATCH + i) % MEMBERS]!, roundId, SURE)),
    );
    const clerk = async () => {
      for (let batch = batches.pop(); batch; batch = batches.pop()) {
        expect(takenOf(await w.book.place(batch))).toHaveLength(BATCH);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, clerk));
  }

  /** Fills a round with bets, draws it and settles it. */
  async function costOfSettling(count: number) {
    const [roundId] = await w.openRounds();
    await place(roundId, count);
    await w.draw();
    let outcomes = 0;
    const cost = await costOf(() =>
      w.book.settle(roundId, (piece) => {
        if ("outcomes" in piece) outcomes += piece.outcomes.length;
      }),
    );
    const paid = await w.db.read.select().from(payouts).where(eq(payouts.roundId, roundId));
    const [round] = await w.db.read.select().from(rounds).where(eq(rounds.id, roundId));
    expect([outcomes, paid.length, round!.betCount]).toEqual([MEMBERS, MEMBERS, count]);
    return cost;
  }

  it("settles a round of 100 000 bets in linear time, and never blocks the event loop", async () => {
    const quarter = await costOfSettling(MANY / 4);
    const whole = await costOfSettling(MANY);
    // With four times the bets, linear work takes up to 4 times as long, quadratic work 16.
    expect(whole.besideMs / quarter.besideMs).toBeLessThan(6);
    expect(whole.blockMs).toBeLessThan(LONGEST_BLOCK_MS);
  });
}
