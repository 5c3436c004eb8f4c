import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";

// A preload: the clock of this process and its threads is the machine's, set by as many ms as the file says that
// CLOCK_HAND names. What counts the time that passes, and what nobody sets, goes on as ever.
const { CLOCK_HAND } = process.env;
if (CLOCK_HAND) {
  const file = openSync(CLOCK_HAND, "r");
  const hand = new Float64Array(1);
  const now = Date.now;
  Date.now = () => {
    readSync(file, hand, 0, 8, 0);
    return Math.floor(now() + hand[0]!);
  };
}

/** Sets the clock of processes that have it in their environment, at once. */
export class ClockHand implements Disposable {
  readonly #path: string;
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    writeFileSync(path, new Float64Array([0]));
    this.#file = openSync(path, "r+");
  }

  /** So many ms before or behind the machine's. */
  set(byMs: number): void {
    writeSync(this.#file, new Float64Array([byMs]), 0, 8, 0);
  }

  /** What a process needs in its environment to have this clock, beside Node's options that it has already. */
  environment(options = ""): Record<string, string> {
    return { CLOCK_HAND: this.#path, NODE_OPTIONS: `${options} --import ${import.meta.url}`.trim() };
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
