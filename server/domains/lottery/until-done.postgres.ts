import { codeOf } from "#db/postgres/pool.ts";

/** Undone for the sake of others at the same rows. */
const UNDONE = new Set(["40001", "40P01"]);
const MOST_TRIES = 20;

/** Does a statement until others let it. */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !UNDONE.has(codeOf(error) ?? "")) throw error;
    }
  }
}
