import type { Keys } from "#server/config/keys.ts";
import { commitOfSeed } from "#shared/wheel.ts";

/**
 * The server's seeds for the wheel, worked out from the master key when asked
 * for and stored nowhere before they are public. Only spinning, and showing a
 * pair that is over, may come here.
 */
export class WheelSeeds {
  readonly #keys: Pick<Keys, "derive">;

  constructor(keys: Pick<Keys, "derive">) {
    this.#keys = keys;
  }

  /** What may be shown of a seed before it is used. */
  commitOf(memberId: number, number: number): string {
    return commitOfSeed(this.reveal(memberId, number));
  }

  /** The secret of a member's pair: to draw from, or to show once the pair is over. */
  reveal(memberId: number, number: number): Uint8Array {
    return this.#keys.derive(`wheel:${memberId}:${number}`);
  }
}
