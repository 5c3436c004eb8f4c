import { isSerializationFailure } from "#db/postgres/pool.ts";

const MOST_TRIES = 20;

/** Does a statement until others let it. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isSerializationFailure(error)) throw error;
    }
  }
}
