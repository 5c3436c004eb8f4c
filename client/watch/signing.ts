import type { WantedWitnesses } from "#shared/contract/events.ts";
import { cosignersOf, type Cosigner } from "#shared/log/cosignature.ts";
import { parseKey } from "#shared/log/note.ts";
import type { ReadHead } from "./check-head.ts";
import type { Kept, KeptClosing } from "./kept.ts";

/** Keys that are remembered of one log, and closings that wait for a signature. */
const MOST_KEYS = 20;
const MOST_WAITING = 20;

/** Knows who is to sign heads beside the house, and keeps who did. */
export class Signing {
  readonly #kept: Kept;
  /** Closings that nobody but the house has signed, oldest first. */
  readonly #waiting: KeptClosing[] = [];

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /** Takes in whom the house names. Those whom it named before are known still. */
  async want(origin: string, { keys, needed }: WantedWitnesses): Promise<void> {
    const before = await this.#kept.witnesses(origin);
    const all = [...new Set([...keys, ...before.keys])].slice(0, MOST_KEYS);
    const mostNeeded = Math.max(before.mostNeeded, needed);
    const isSame = all.join() === before.keys.join() && needed === before.needed && mostNeeded === before.mostNeeded;
    if (!isSame) await this.#kept.keepWitnesses(origin, { ...before, keys: all, needed, mostNeeded });
  }

  /** Checks who signed a head that follows from what was seen. Such a signature stands for all that the head holds. */
  async take({ checkpoint: { origin, size }, note, text }: ReadHead): Promise<void> {
    const before = await this.#kept.witnesses(origin);
    const keys = before.keys.flatMap((key) => parseKey(key) ?? []);
    const by = cosignersOf(note, keys);
    if (by.length === 0) return;
    const isNews = size > before.size || (size === before.size && by.length >= before.by.length);
    if (isNews) await this.#kept.keepWitnesses(origin, { ...before, head: text, size, by });
    for (const closing of this.#waiting) {
      if (closing.origin === origin && closing.size <= size)
        await this.#kept.keepClosing(Object.assign(closing, { by: earliest(closing.by ?? [], by) }));
    }
  }

  /** Remembers a closing, to note who signs it. */
  waitFor(closing: KeptClosing): void {
    this.#waiting.push(closing);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }
}

/** The first signature of each. */
function earliest(before: readonly Cosigner[], now: readonly Cosigner[]): Cosigner[] {
  const names = [...new Set([...before, ...now].map(({ name }) => name))];
  const firstOf = (name: string) =>
    Math.min(...[...before, ...now].filter((one) => one.name === name).map(({ at }) => at));
  return names.map((name) => ({ name, at: firstOf(name) }));
}
