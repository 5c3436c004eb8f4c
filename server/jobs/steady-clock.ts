import { MINUTE_MS, type Clock } from "#shared/time.ts";
import { TOLERANCE_MS } from "./clock-watch.ts";

/**
 * By a clock that was just set nothing is deleted, and no session seems over: set ahead, it would call old what others still
 * read and ask for. A process that has just started cannot tell.
 */
const BELIEVED_AFTER_MS = 15 * MINUTE_MS;

/** Whether a clock has long gone on without being set, as far as this process saw: compared with the time that passed. */
export class SteadyClock {
  readonly #clock: Clock;
  #since: number;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = this.#elapsed;
    this.#aheadMs = clock.now() - this.#since;
  }

  /** Whether that is long enough. It has to be asked often: a clock may be set and set right in between. */
  get isBelieved(): boolean {
    const elapsed = this.#elapsed;
    const aheadMs = this.#clock.now() - elapsed;
    if (Math.abs(aheadMs - this.#aheadMs) > TOLERANCE_MS) this.#since = elapsed;
    this.#aheadMs = aheadMs;
    return elapsed - this.#since >= BELIEVED_AFTER_MS;
  }

  get #elapsed(): number {
    return (this.#clock.elapsed ?? this.#clock.now)();
  }
}
