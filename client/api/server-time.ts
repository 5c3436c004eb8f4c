/**
 * The server's clock, as far as it can be known here: what it said, plus what
 * has passed since on a clock that nobody sets. The device's own clock is never asked.
 */
export class ServerTime {
  readonly #elapsed: () => number;
  #ahead: number | null = null;

  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Of all that was heard, the quickest message is the nearest to the truth. */
  heard(serverNowMs: number): void {
    const ahead = serverNowMs - this.#elapsed();
    this.#ahead = this.#ahead === null ? ahead : Math.max(this.#ahead, ahead);
  }

  /** Begins anew: after a sleep or a new line nothing heard before counts. */
  forget(): void {
    this.#ahead = null;
  }

  /** Milliseconds since the epoch by the server's clock; null while it has said nothing. */
  now(): number | null {
    return this.#ahead === null ? null : this.#ahead + this.#elapsed();
  }
}

export const serverTime = new ServerTime();
