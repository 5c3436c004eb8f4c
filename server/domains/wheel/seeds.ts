import type { Keys } from "#server/config/keys.ts";
import { commitOfSeed } from "#shared/wheel.ts";

/**
 * The server's seeds for the wheel, derived from the master key on demand. A seed is stored nowhere before it is public.
 * Only spinning, showing a pair that is over, and the audit may use this class.
 */
export class WheelSeeds {
  readonly #keys: Pick<Keys, "derive">;

  constructor(keys: Pick<Keys, "derive">) {
    this.#keys = keys;
  }

  /** The public commitment to a seed, before it is used. */
  commitOf(memberId: number, number: number): string {
    return commitOfSeed(this.reveal(memberId, number));
  }

  /** The secret of a member's pair: to draw from, or to show once the pair is over. */
  reveal(memberId: number, number: number): Uint8Array {
    return this.#keys.derive(`wheel:${memberId}:${number}`);
  }
}
