import type { Deps } from "#server/app/deps.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { MOST_IN_MEMORY, MOST_OF_ONE } from "#server/domains/account/hash-lanes.ts";
import { Semaphores } from "#server/domains/account/semaphore.ts";
import { countAttempt, takeBackAttempt, type Counts, type Guess } from "./attempts.ts";

/** Per server: whose log-ins are under way. */
const turns = new WeakMap<object, Semaphores<string>>();

/**
 * Counts a guess, and has it judged before the client's next one is counted; a known device's pass beside its client's.
 * Each counts as wrong until then: right ones that came together would make one another wait. Refuses it while it must
 * wait, and where too many are before it.
 */
export async function judge<T>(
  deps: Pick<Deps, "clock" | "db" | "isLimited">,
  guess: Guess,
  decide: (counted: Counts) => Promise<T>,
): Promise<T> {
  // Nobody guesses a signature: the limit on tickets and passkeys is one on requests.
  if (guess.username === null && !deps.isLimited) return decide(new Map());
  const own = turns.get(deps) ?? new Semaphores(1, deps.isLimited ? MOST_OF_ONE : MOST_IN_MEMORY);
  turns.set(deps, own);
  const leave = await own.acquire(guess.device ?? clientKey(guess.ip));
  try {
    return await decide(await deps.db.transact((tx) => countAttempt(tx, guess, deps.clock.now())));
  } finally {
    leave();
  }
}

/** Checks a guess that was counted. A check that throws, as in a full lane of hashes, has told nothing: it does not count. */
export async function checkCounted<T>(
  { db }: Pick<Deps, "db">,
  guess: Guess,
  counted: Counts,
  check: () => Promise<T>,
): Promise<T> {
  return check().catch(async (error: unknown) => {
    await db.transact((tx) => takeBackAttempt(tx, guess, counted));
    throw error;
  });
}
