import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Hash } from "#shared/merkle.ts";

/** What is known of a round of a day, one bit each. */
export const MARK = {
  opened: 1,
  /** Its close names bets. */
  bets: 2,
  drawn: 4,
  /** It stands in a gap, although it was opened. */
  void: 8,
  /** Its stakes went back. */
  returned: 16,
} as const;

const MOST_ROUNDS = 8_640;

/** A day of a game: its anchor, the links of its chain that were shown, and a byte for each of its rounds. */
export class DayMarks {
  readonly #marks = new Uint8Array(MOST_ROUNDS + 1);
  readonly #hash: Hash;
  #link: { number: number; seed: Uint8Array } | null = null;
  anchor: string | null = null;
  /** The highest place that was shown. */
  shown = 0;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  mark(number: number, bits: number): void {
    this.#marks[number]! |= bits;
  }

  has(number: number, bits: number): boolean {
    return (this.#marks[number]! & bits) === bits;
  }

  /** The highest number whose seed is known. */
  get reached(): number {
    return this.#link?.number ?? 0;
  }

  setAnchor(anchor: string): void {
    this.anchor = anchor;
    this.#link = { number: 0, seed: hexToBytes(anchor) };
  }

  /**
   * Whether a seed is the day's seed of this number, by the chain from the anchor. A higher one than any before becomes
   * the link to compare later ones with, so a whole day costs one walk.
   */
  isSeed(number: number, hex: string): boolean {
    if (!this.#link) return false;
    const { number: last, seed: link } = this.#link;
    const seed = hexToBytes(hex);
    if (number <= last) return bytesToHex(this.#walk(link, last - number)) === hex;
    if (bytesToHex(this.#walk(seed, number - last)) !== bytesToHex(link)) return false;
    this.#link = { number, seed };
    return true;
  }

  #walk(seed: Uint8Array, steps: number): Uint8Array {
    let at = seed;
    for (let i = 0; i < steps; i++) at = this.#hash(at);
    return at;
  }
}
