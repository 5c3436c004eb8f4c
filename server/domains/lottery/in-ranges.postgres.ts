import type pg from "pg";
import { leftIn, readRanges, standsAfter, type Progress, type SettleRange } from "./settle-ranges.ts";

/**
 * Ranges that a server works through at once. Of the eight connections that write, bets take up to four (`LANES`) and
 * transactions as many: whoever comes when all are taken waits for one statement of 500 members at most.
 */
const AT_ONCE = 3;

/** What is done to the members of a round's ranges. */
export interface Work<T> {
  pool: pg.Pool;
  roundId: number;
  progress: Progress;
  /** Those to whom it is done, in order. */
  members: Float64Array;
  /** How many of them at a time. */
  piece: number;
  /** Does it to some of a range, which stands at `to` after them. Null: another process had moved the range. */
  step: (range: SettleRange, some: number[], to: number) => Promise<T | null>;
}

/**
 * Works through all ranges, several at once. One in which another process is at work is left for the end and then continued
 * where that process stands: so servers share a round, and none waits for one that has died.
 */
export async function* inRanges<T>(ranges: readonly SettleRange[], work: Work<T>): AsyncGenerator<T, void> {
  const [untried, shared] = [[...ranges], [] as SettleRange[]];
  async function* worker(): AsyncGenerator<T, void> {
    for (;;) {
      const range = untried.shift();
      if (range) {
        if (!(yield* untilMoved(range, work))) shared.push(range);
        continue;
      }
      const left = shared.shift();
      if (!left) return;
      yield* behindOthers(left, work);
    }
  }
  const workers = Array.from({ length: Math.min(AT_ONCE, ranges.length) }, worker);
  yield* workers.length === 1 ? workers[0]! : merged(workers);
}

/** Whether the range is done; it is not where another process moved it meanwhile. */
async function* untilMoved<T>(range: SettleRange, work: Work<T>): AsyncGenerator<T, boolean> {
  const left = leftIn(range, work.progress, work.members);
  const at = { ...range };
  for (let from = 0; from < left.length; from += work.piece) {
    const some = Array.from(left.subarray(from, from + work.piece));
    const to = standsAfter(range, some, left.subarray(from));
    const done = await work.step(at, some, to);
    if (done === null) return false;
    yield done;
    at[work.progress] = to;
  }
  return true;
}

async function* behindOthers<T>(range: SettleRange, work: Work<T>): AsyncGenerator<T, void> {
  for (let stood: number | null = null; ;) {
    const now = (await rangesIn(work.pool, work.roundId)).find(({ fromId }) => fromId === range.fromId);
    // The ranges of a round are gone once it is indexed. One that nobody moves is no longer worked on: the round is over.
    if (!now || now[work.progress] === stood) return;
    stood = now[work.progress];
    if (yield* untilMoved(now, work)) return;
  }
}

/** What several generators yield, as it comes. When one fails, the others end their step before the error is thrown. */
async function* merged<T>(sources: AsyncGenerator<T, void>[]): AsyncGenerator<T, void> {
  const ask = async (source: AsyncGenerator<T, void>) => ({ source, next: await source.next() });
  const asked = new Map(sources.map((source) => [source, ask(source)]));
  try {
    while (asked.size > 0) {
      const { source, next } = await Promise.race(asked.values());
      if (next.done) asked.delete(source);
      else {
        asked.set(source, ask(source));
        yield next.value;
      }
    }
  } finally {
    await Promise.allSettled(asked.values());
  }
}

const READ = readRanges("$1");

export async function rangesIn(pool: pg.Pool, roundId: number): Promise<SettleRange[]> {
  return (await pool.query<SettleRange>(READ, [roundId])).rows;
}
