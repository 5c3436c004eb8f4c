import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";

/** A seed of a day that is known: the anchor has number 0. */
export interface KnownSeed {
  number: number;
  seed: string;
}

/** The most hashes between two seeds of a day: no round is shorter than a second. */
const MOST_LINKS = 86_400;

/** The seed of an earlier round of the same day, a hash for each round between them. */
export function seedAt({ number, seed }: KnownSeed, earlier: number): Uint8Array {
  let link = hexToBytes(seed);
  for (let left = number - earlier; left > 0; left--) link = sha256(link);
  return link;
}

/** The same for numbers that a stranger wrote. Null for a later round, and beyond all rounds of a day. */
export function seedWithinDay(known: KnownSeed, earlier: number): Uint8Array | null {
  const links = known.number - earlier;
  return links >= 0 && links <= MOST_LINKS ? seedAt(known, earlier) : null;
}
