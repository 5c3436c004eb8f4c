import type { wheelPairs } from "#db/schema/wheel.ts";
import type { Keys, MasterKey } from "#server/config/keys.ts";
import { commitOfSeed } from "#shared/wheel.ts";

/**
 * The server's seeds for the wheel, derived on demand from the master key that was in force when their commit was made. A
 * seed is stored nowhere before it is public.
 * Only spinning, showing a pair that is over, and the audit may use this class.
 */
export class WheelSeeds {
  readonly #keys: Pick<Keys, "now" | "all" | "at">;

  constructor(keys: Pick<Keys, "now" | "all" | "at">) {
    this.#keys = keys;
  }

  /** The public commitment to a new pair's seed, before it is used: of the key in force. */
  newCommit(memberId: number, number: number): string {
    return commitOfSeed(seedUnder(this.#keys.now, memberId, number));
  }

  /** The secret of a member's pair: to draw from, or to show once the pair is over. Null where its key is not here. */
  find({ memberId, number, commit }: Committed): Uint8Array | null {
    const seeds = this.#keys.all.toReversed().map((key) => seedUnder(key, memberId, number));
    return seeds.find((seed) => commitOfSeed(seed) === commit) ?? null;
  }

  /** The seed of a pair that is over, for whoever checks it: its commit's, else that of the key of its time. */
  shown(pair: Committed & { createdAt: number }): Uint8Array | null {
    const key = this.#keys.at(pair.createdAt);
    return this.find(pair) ?? (key && seedUnder(key, pair.memberId, pair.number));
  }

  /** The same for a pair that is not over, or is just ending: its key has to be here. */
  reveal(pair: Committed): Uint8Array {
    const seed = this.find(pair);
    if (!seed) throw new Error(`no master key here gives the seed of pair ${pair.number} of member ${pair.memberId}`);
    return seed;
  }

  /** Whether a pair is of an earlier key than the one in force: whoever has that key knows its seed. It draws nothing any more. */
  isOld({ memberId, number, commit }: Committed): boolean {
    return this.#keys.all.length > 1 && this.newCommit(memberId, number) !== commit;
  }
}

/** A member's pair, and what was shown of its seed. */
type Committed = Pick<typeof wheelPairs.$inferSelect, "memberId" | "number" | "commit">;

const seedUnder = (key: MasterKey, memberId: number, number: number): Uint8Array =>
  key.derive(`wheel:${memberId}:${number}`);
