import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { checkpointText, type Checkpoint } from "./checkpoint.ts";

const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";
const WORDS = 12;

/** 16 bits as five letters, consonants and vowels in turn: 4, 2, 4, 2 and 4 bits. */
export const wordOf = (bits: number): string =>
  [
    CONSONANTS[bits >> 12],
    VOWELS[(bits >> 10) & 3],
    CONSONANTS[(bits >> 6) & 15],
    VOWELS[(bits >> 4) & 3],
    CONSONANTS[bits & 15],
  ].join("");

/**
 * Twelve words that two people compare: equal words, equal heads. They spell the first 192 bits of the SHA-256 of the
 * head's text, signatures left out. Whoever can fork a log can also vary it, and looks for two heads of the same
 * words; that takes about 2^96 tries. Twelve words from a list of 64 would take 2^36, which is minutes.
 *
 * The words are proquints (D. S. Wilkerson, arXiv:0901.4016): no language's own, and read alike in many. They are not
 * from the list that wallets use, because nobody should grow used to reading such words to others.
 */
export function wordsOf(head: Checkpoint): string[] {
  const bytes = sha256(utf8ToBytes(checkpointText(head)));
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: WORDS }, (_, i) => wordOf(view.getUint16(2 * i)));
}
