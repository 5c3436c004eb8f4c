import { Readable } from "node:stream";

/** Begins to fetch a file; the signal ends it, whenever. */
export type Fetching = (signal: AbortSignal) => Promise<Readable>;

interface Waiting {
  openMs: number;
  stallMs: number;
}

/**
 * A file streamed from a bucket: fetched lazily, with back-pressure, and aborted with its reader. It fails when no
 * bytes come although the reader waits.
 */
export class S3Body extends Readable {
  readonly #about: string;
  readonly #fetching: Fetching;
  readonly #waiting: Waiting;
  readonly #abort = new AbortController();
  #source: Readable | "coming" | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(about: string, fetching: Fetching, waiting: Waiting) {
    super();
    this.#about = about;
    this.#fetching = fetching;
    this.#waiting = waiting;
  }

  override _read(): void {
    if (this.#source === "coming") return;
    if (this.#source === null) return void this.#open();
    this.#expect(this.#waiting.stallMs);
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    if (this.#source instanceof Readable) this.#source.destroy();
    done(error);
  }

  async #open(): Promise<void> {
    this.#source = "coming";
    this.#expect(this.#waiting.openMs);
    try {
      const source = await this.#fetching(this.#abort.signal);
      source.on("error", (error) => this.destroy(error));
      if (this.destroyed) return void source.destroy();
      this.#source = source;
      this.#expect(this.#waiting.stallMs);
      source.on("data", (bytes: Buffer) => this.#pass(bytes, source));
      source.on("end", () => {
        clearTimeout(this.#timer);
        this.push(null);
      });
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #pass(bytes: Buffer, source: Readable): void {
    if (this.push(bytes)) return this.#expect(this.#waiting.stallMs);
    // A slow reader does not count as a stall.
    clearTimeout(this.#timer);
    source.pause();
  }

  #expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.destroy(new Error(`${this.#about}: no data for ${ms} ms`)), ms);
  }
}
