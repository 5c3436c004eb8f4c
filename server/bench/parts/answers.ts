const END_OF_HEAD = "\r\n\r\n";

/** Counts the HTTP responses on one connection, and discards them. */
export class Answers {
  /** Bytes of bodies. */
  bytes = 0;
  /** Complete responses. */
  done = 0;
  readonly #onDone: () => void;
  #head = "";
  #left = 0;

  constructor(onDone: () => void = () => {}) {
    this.#onDone = onDone;
  }

  /** Returns how many of the bytes belong to a body. Throws for anything but a 200 with a content-length. */
  take(chunk: Buffer, length: number): number {
    const body = this.#left > 0 ? length : this.#takeHead(chunk.toString("latin1", 0, length));
    this.bytes += body;
    const isLast = body > 0 && body === this.#left;
    this.#left -= body;
    if (isLast) {
      this.done++;
      this.#onDone();
    }
    return body;
  }

  /** Returns how many bytes follow the head. */
  #takeHead(text: string): number {
    this.#head += text;
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return 0;
    const length = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, end))?.[1];
    if (length === undefined) throw new Error(`not what was asked for: ${this.#head.slice(0, end)}`);
    this.#left = Number(length);
    const body = this.#head.length - end - END_OF_HEAD.length;
    this.#head = "";
    return body;
  }
}
