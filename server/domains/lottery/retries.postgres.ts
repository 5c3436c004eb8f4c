import { isSerializationFailure } from "#db/postgres/pool.ts";

const MOST_TRIES = 20;

/** Retries a statement that was rolled back because of a deadlock or a conflict with others. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isSerializationFailure(error)) throw error;
    }
  }
}
