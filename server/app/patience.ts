import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseAway, isOutcomeUnknown } from "#db/away.ts";

/** A start waits this long for a database that another process keeps busy: longer than any lock is held. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 250;
/** A machine that was suspended may find its time over after one try. */
const LEAST_TRIES = 10;

/**
 * Does a step of a starting server again while the database is busy or away. A running server answers 503 and tries at
 * its next step; a starting one has neither, and would end. A commit of unknown outcome is not repeated.
 */
export async function untilFree<T>(step: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseAway(error) || isOutcomeUnknown(error)) throw error;
      if (tries >= LEAST_TRIES && performance.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
