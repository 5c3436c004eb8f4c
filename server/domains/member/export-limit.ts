import { Refusal } from "#shared/refusal.ts";
import { HOUR_MS, SECOND_MS } from "#shared/time.ts";

const MOST_AN_HOUR = 10;
/** Whoever has a file on its way may ask again after so long; it is likely to be there by then. */
const BUSY_S = 10;

/** How often a member may have their file made: one at a time, and so many an hour, by this process. */
export class ExportLimit {
  readonly #running = new Set<number>();
  readonly #begun = new Map<number, number[]>();

  /** Counts one. Refuses it when it is one too many; else returns how to say, once or more, that it is done. */
  begin(memberId: number, now: number): () => void {
    if (this.#running.has(memberId)) throw new Refusal("attempts.many", { retryAfterS: BUSY_S });
    const recent = (this.#begun.get(memberId) ?? []).filter((at) => at > now - HOUR_MS);
    if (recent.length >= MOST_AN_HOUR) {
      const waitMs = recent[0]! + HOUR_MS - now;
      throw new Refusal("attempts.many", { retryAfterS: Math.max(1, Math.ceil(waitMs / SECOND_MS)) });
    }
    this.#forget(now);
    this.#begun.delete(memberId);
    this.#begun.set(memberId, [...recent, now]);
    this.#running.add(memberId);
    let isDone = false;
    return () => {
      if (!isDone) this.#running.delete(memberId);
      isDone = true;
    };
  }

  /** In the order of their last time, so those who may be forgotten stand first. */
  #forget(now: number): void {
    for (const [memberId, times] of this.#begun) {
      if (times.at(-1)! > now - HOUR_MS) return;
      this.#begun.delete(memberId);
    }
  }
}
