import type { ReadHead } from "./check-head.ts";
import type { Kept, KeptClosing, KeptSeed, RoundChecked } from "./kept.ts";
import type { Surroundings } from "./surroundings.ts";

/** The most closings that wait. */
const MOST = 20;
/** A proof that did not come is asked for again within this time after another one came. */
const AGAIN_MS = 20_000;

/**
 * Closings whose head is not proved yet to follow from what was seen. Their rounds count once it is, at a later visit
 * too. A house that gives no proof is accused of nothing: it may be away.
 */
export class Unproven {
  readonly #kept: Kept;
  readonly #around: Surroundings;
  readonly #hold: (head: string) => Promise<unknown>;
  /** Oldest first. */
  readonly #closings = new Set<KeptClosing>();

  /** `hold`: asks for the proof of a head. */
  constructor(kept: Kept, around: Surroundings, hold: (head: string) => Promise<unknown>) {
    this.#kept = kept;
    this.#around = around;
    this.#hold = hold;
  }

  /** Goes on with those of earlier visits. */
  async begin(): Promise<void> {
    const waiting = (await this.#kept.closings()).filter(({ isUnproven }) => isUnproven);
    for (const closing of waiting.sort((one, other) => one.at - other.at)) this.add(closing);
  }

  add(closing: KeptClosing): void {
    this.#closings.add(Object.assign(closing, { isUnproven: true }));
    if (this.#closings.size > MOST) this.#closings.delete(this.#closings.values().next().value!);
  }

  /** Keeps the checked seed of a round that counts once the head of its closing is proved. */
  async keepSeed(seed: KeptSeed, closing: KeptClosing, drawn: RoundChecked): Promise<void> {
    const { origin, game, round } = closing;
    const isIt = (one: KeptClosing) => one.origin === origin && one.game === game && one.round === round;
    const waiting = [...this.#closings].find(isIt) ?? closing;
    await this.#kept.keepSeedUnproven(seed, Object.assign(waiting, { drawn }));
  }

  /** Counts the closings of a proved head. The house proves again, so the proofs that others wait for are asked for too. */
  readonly prove = async (head: ReadHead): Promise<void> => {
    for (const closing of this.#closings) {
      if (closing.origin !== head.checkpoint.origin) continue;
      if (closing.head !== head.text) {
        this.#around.later(AGAIN_MS, async () => {
          if (this.#closings.has(closing)) await this.#hold(closing.head);
        });
        continue;
      }
      this.#closings.delete(closing);
      const { drawn } = closing;
      delete closing.isUnproven;
      delete closing.drawn;
      await this.#kept.keepProven(closing, drawn);
    }
  };
}
