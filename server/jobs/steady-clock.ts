import type { Clock } from "#shared/time.ts";
import { TOLERANCE_MS } from "./clock-watch.ts";

/** How long a clock has gone on without being set, as far as this process saw: compared with the time that passed. */
export class SteadyClock {
  readonly #clock: Clock;
  #since: number;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = this.#elapsed;
    this.#aheadMs = clock.now() - this.#since;
  }

  /** So many ms, on the clock's own scale. It has to be asked often: a clock may be set and set right in between. */
  get steadyMs(): number {
    const elapsed = this.#elapsed;
    const aheadMs = this.#clock.now() - elapsed;
    if (Math.abs(aheadMs - this.#aheadMs) > TOLERANCE_MS) this.#since = elapsed;
    this.#aheadMs = aheadMs;
    return elapsed - this.#since;
  }

  get #elapsed(): number {
    return (this.#clock.elapsed ?? this.#clock.now)();
  }
}
