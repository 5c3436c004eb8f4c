import { MINUTE_MS } from "#shared/time.ts";
import type { Kept } from "./kept.ts";
import type { Place } from "./shelf.ts";
import type { KeptUnchecked, Tried } from "./states.ts";
import type { Surroundings } from "./surroundings.ts";

/** What could not be checked for so long is said. A restart, or a line that was away, takes less. */
export const LASTING_MS = 10 * MINUTE_MS;

const placeOf = (origin: string): Place => ["unchecked", origin];

/** Whether a check has failed for long: it was tried again, and there was no answer in between. */
export const isLasting = ({ since, at }: Tried): boolean => at - since >= LASTING_MS;

/** Where this device's clock was set back meanwhile, the time begins anew: what is to come would never last. */
export const triedAgain = (before: Tried | undefined, now: number): Tried => ({
  since: Math.min(before?.since ?? now, now),
  at: now,
});

/**
 * Since when the house does not show that its log continues what this device keeps. It may be away, so this accuses nobody;
 * and nothing of it is called checked.
 */
export class Unchecked {
  readonly #kept: Kept;
  readonly #around: Surroundings;
  #isTold = false;

  constructor(kept: Kept, around: Surroundings) {
    this.#kept = kept;
    this.#around = around;
  }

  /** A head of this size could not be joined with what is kept. `heads`: both, where the house signed both. */
  async fails(origin: string, size: number, heads: KeptUnchecked["heads"] = null): Promise<void> {
    const before = await this.#kept.shelf.get<KeptUnchecked>(placeOf(origin));
    const tried = triedAgain(before, this.#around.now());
    const now = { origin, size: before?.size ?? size, heads: before?.heads ?? heads, ...tried };
    await this.#kept.shelf.write({ put: [[placeOf(origin), now]] });
    if (!this.#isTold && isLasting(now)) this.#around.tell({ to: "found", kind: "unchecked", member: "" });
    this.#isTold ||= isLasting(now);
  }

  /** A head of this size follows from what is kept. What is as large holds, too, and a log that was not met is forgotten. */
  async holds(origin: string, size: number): Promise<void> {
    const done = (await this.#all()).filter((one) => one.origin !== origin || one.size <= size);
    if (done.length > 0) await this.#kept.shelf.write({ drop: done.map((one) => placeOf(one.origin)) });
  }

  /** What the house has owed for long; of several logs, the longest. */
  async report(): Promise<KeptUnchecked | null> {
    const all = (await this.#all()).filter(isLasting);
    return all.toSorted((one, other) => one.since - other.since)[0] ?? null;
  }

  #all = () => this.#kept.shelf.list<KeptUnchecked>(["unchecked"]);
}
