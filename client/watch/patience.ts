/** How long a check waits for one answer: others wait behind it. */
export const PATIENCE_MS = 8_000;

/** How long an answer may take in all. */
const LONGEST_MS = 120_000;

/**
 * Waits for one thing at a time, and not for long. What takes longer comes all the same, and is there when it is asked for
 * again: on a slow line whatever is begun anew each time would never come.
 */
export class Patience {
  readonly #begun = new Map<string, Promise<unknown>>();

  async wait<T>(name: string, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const work = (this.#begun.get(name) ?? this.#begin(name, begin)) as Promise<T>;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`${name} takes long`)), PATIENCE_MS);
    try {
      const answer = await Promise.race([work, late.promise]);
      this.#forget(name, work);
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is under way is not waited for any more: another house may answer now. */
  forgetAll(): void {
    this.#begun.clear();
  }

  #begin<T>(name: string, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const work = begin(stop.signal);
    this.#begun.set(name, work);
    // What came and nobody asked for again is forgotten then, too: it may be old.
    setTimeout(() => {
      stop.abort();
      this.#forget(name, work);
    }, LONGEST_MS);
    work.catch(() => this.#forget(name, work));
    return work;
  }

  #forget(name: string, work: Promise<unknown>): void {
    if (this.#begun.get(name) === work) this.#begun.delete(name);
  }
}
