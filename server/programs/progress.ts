const WIDTH = 30;
/** What is said of the work takes up so much, or more. */
const WIDEST = 18;

/** A progress bar for terminals; piped output stays free of it. */
export class Progress {
  readonly #screen: NodeJS.WriteStream;
  #last = "";

  constructor(screen: NodeJS.WriteStream = process.stderr) {
    this.#screen = screen;
  }

  /** `done` from 0 to 1. */
  show(what: string, done: number): void {
    const part = Math.min(1, Math.max(0, done));
    const full = Math.round(part * WIDTH);
    const line = `${what.padEnd(WIDEST)} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${Math.floor(part * 100)} %`;
    if (!this.#screen.isTTY || line === this.#last) return;
    this.#screen.write(`\r${line.padEnd(this.#last.length)}`);
    this.#last = line;
  }

  /** Leaves the line to what is said next. */
  end(): void {
    if (this.#screen.isTTY && this.#last !== "") this.#screen.write(`\r${" ".repeat(this.#last.length)}\r`);
    this.#last = "";
  }
}
