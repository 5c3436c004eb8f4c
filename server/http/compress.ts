import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A smaller answer fits into one packet as it is. */
const LEAST_BYTES = 1_024;
/** Little work, because most answers are compressed anew. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);

const CODINGS = {
  br: (text: string) => inBrotli(text, BROTLI),
  gzip: (text: string) => inGzip(text),
};
export type Coding = keyof typeof CODINGS;
const NAMES = Object.keys(CODINGS) as Coding[];

/** The text of an answer, compressed once for each coding however often it is sent. */
export class Body {
  readonly text: string;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.text = text;
  }

  get isLarge(): boolean {
    return this.text.length >= LEAST_BYTES;
  }

  compressed(coding: Coding): Promise<Buffer> {
    const known = this.#compressed.get(coding);
    if (known) return known;
    const begun = CODINGS[coding](this.text);
    this.#compressed.set(coding, begun);
    return begun;
  }
}

/** The coding to answer in: the first of ours that the header names, and not with the weight zero. */
export function codingFor(header: string | string[] | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  const accepted = String(header)
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim().toLowerCase()));
  return NAMES.find((name) =>
    accepted.some(([coding, weight = ""]) => coding === name && !/^q=0(\.0*)?$/.test(weight)),
  );
}
