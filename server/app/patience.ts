import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseAway, isOutcomeUnknown } from "#db/away.ts";

/** A start waits this long for a database that another process keeps busy: longer than any lock is held. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 250;

/**
 * Does a transaction of a starting server again while the database is busy or away. A running server answers 503 and
 * tries at its next step; a starting one has neither, and would end. A commit of unknown outcome is not repeated.
 */
export async function untilFree<T>(transaction: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (!isDatabaseAway(error) || isOutcomeUnknown(error) || performance.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
