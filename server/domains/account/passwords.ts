import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "#shared/refusal.ts";

/** OWASP's smallest recommended argon2id parameters: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A longer queue means seconds of delay, so it is refused. */
const MOST_WAITING = 200;

/** Hashes passwords one at a time, in a queue: two at once would take a second core, for the same throughput. */
export class Passwords {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Verified when there is no member, so that the reply takes the same time. */
  readonly #nobodys: Promise<string>;

  constructor(random: (bytes: number) => Uint8Array) {
    this.#nobodys = this.hash(Buffer.from(random(16)).toString("hex"));
  }

  hash(password: string): Promise<string> {
    return this.#queue(() => hash(password, PARAMETERS));
  }

  /** Takes the same time whether there is a hash or not. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const known = stored ?? (await this.#nobodys);
    const matches = await this.#queue(() => verify(known, password));
    return matches && stored !== null;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) throw new Refusal("attempts.many", { retryAfterS: 2 });
    this.#waiting++;
    const result = this.#tail.then(work).finally(() => this.#waiting--);
    this.#tail = result.catch(() => {});
    return result;
  }
}
