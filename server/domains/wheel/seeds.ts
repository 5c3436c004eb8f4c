import type { wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Keys, MasterKey } from "#server/config/keys.ts";
import { commitOfSeed } from "#shared/wheel.ts";

/** A member's pair, and what was shown of its seed. */
type Committed = Pick<typeof wheelPairs.$inferSelect, "memberId" | "number" | "origin" | "commit">;

/**
 * The server's seeds for the wheel, derived on demand from the name of the log and the master key that were in force when
 * their commit was made. A seed is stored nowhere before it is public. A log that begins after a restore has a name of its
 * own, so that no seed comes back which a member saw before.
 * Only spinning and showing a pair that is over may use this class.
 */
export class WheelSeeds {
  readonly #keys: Pick<Keys, "now" | "all" | "at">;
  readonly #log: { readonly origin: string };

  constructor({ keys, publicLog }: Pick<Deps, "keys" | "publicLog">) {
    this.#keys = keys;
    this.#log = publicLog;
  }

  /** A new pair's log and its public commitment to the seed, before it is used: of the key in force. */
  begin(memberId: number, number: number): Committed {
    const made = { memberId, number, origin: this.#log.origin };
    return { ...made, commit: commitOfSeed(seedUnder(this.#keys.now, made)) };
  }

  /** The secret of a member's pair: to draw from, or to show once the pair is over. Null where its key is not here. */
  find(pair: Committed): Uint8Array | null {
    return findSeed(this.#keys, pair);
  }

  /** The seed of a pair that is over, for whoever checks it: its commit's, else that of the key of its time. */
  shown(pair: Committed & { createdAt: number }): Uint8Array | null {
    const key = this.#keys.at(pair.createdAt);
    return this.find(pair) ?? (key && seedUnder(key, pair));
  }

  /** The same for a pair that is not over, or is just ending: its key has to be here. */
  reveal(pair: Committed): Uint8Array {
    const seed = this.find(pair);
    if (!seed) throw new Error(`no master key here gives the seed of pair ${pair.number} of member ${pair.memberId}`);
    return seed;
  }

  /**
   * Whether somebody may know a pair's seed: it is of an earlier key than the one in force, or of the time before a
   * restore. It draws nothing any more.
   */
  isOld(pair: Committed): boolean {
    if (pair.origin !== this.#log.origin) return true;
    return this.#keys.all.length > 1 && commitOfSeed(seedUnder(this.#keys.now, pair)) !== pair.commit;
  }
}

/** The same for the audit, which serves nobody. */
export function findSeed(keys: Pick<Keys, "all">, pair: Committed): Uint8Array | null {
  const seeds = keys.all.toReversed().map((key) => seedUnder(key, pair));
  return seeds.find((seed) => commitOfSeed(seed) === pair.commit) ?? null;
}

function seedUnder(key: MasterKey, { origin, memberId, number }: Omit<Committed, "commit">): Uint8Array {
  return key.derive(origin === null ? `wheel:${memberId}:${number}` : `wheel:${origin}:${memberId}:${number}`);
}
