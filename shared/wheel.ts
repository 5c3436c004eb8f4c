import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { toDecimal } from "./money.ts";

/**
 * Where the wheel stops. Server, browser and verifier share this code.
 *
 * A member has pairs of a server seed and words of their own. The seed's SHA-256, its commit, is public before the words
 * are made. Words bind the pair to one table of prizes. Spin `nonce` is decided by HMAC-SHA256(seed, "WORDS:NONCE"): its
 * first 8 bytes and the table's weights give the prize.
 */
export interface Chance {
  id: string;
  /** A whole number. The probability is this weight over the sum of all weights. */
  weight: number;
}

/** What can be won: a chance, and what it gives. */
export interface Winnable extends Chance {
  kind: "points" | "days" | "spin" | "thanks";
  /** Points in 1/100 unit; days or further spins as they are; 0 for thanks. */
  amount: number;
}

/** What a prize gives, as the wire writes it: points as a decimal, days and spins as a whole number. */
const givenBy = ({ kind, amount }: Pick<Winnable, "kind" | "amount">): string =>
  kind === "points" ? toDecimal(amount) : String(amount);

/** A prize of a table, as the wire writes it. */
export interface TableRow extends Chance {
  kind: Winnable["kind"];
  amount: string;
}

/** The prizes of a table as the wire writes them. */
export const rowsOf = (prizes: readonly Winnable[]): TableRow[] =>
  prizes.map((prize) => ({ id: prize.id, weight: prize.weight, kind: prize.kind, amount: givenBy(prize) }));

/**
 * The hash that binds a pair to its table: SHA-256, hex, of JSON without spaces. It is the list of all prizes in the order
 * of the wheel, each `[id, weight, kind, amount]` as the wire writes them, such as `[["ten",600,"points","10.00"]]`.
 */
export const tableHash = (rows: readonly TableRow[]): string =>
  bytesToHex(
    sha256(utf8ToBytes(JSON.stringify(rows.map(({ id, weight, kind, amount }) => [id, weight, kind, amount])))),
  );

/** When others may see a spin's prize: the wheel has stopped by then and its member has seen it. */
export const PUBLIC_AFTER_MS = 6_000;

const SPACE = 1n << 64n;

export const weightOf = (chances: readonly Chance[]): number => chances.reduce((sum, { weight }) => sum + weight, 0);

/** The largest multiple of a weight below 2^64. Numbers from there on are rejected: they would favour the first prizes. */
export function rejectionLimit(weight: number): bigint {
  return ((SPACE - 1n) / BigInt(weight)) * BigInt(weight);
}

/** Where the wheel stops for a number of 64 bits: the first prize whose running weight exceeds it. Null: draw again. */
export function prizeAt(number: bigint, chances: readonly Chance[]): string | null {
  const weight = weightOf(chances);
  if (number >= rejectionLimit(weight)) return null;
  let left = Number(number % BigInt(weight));
  for (const { id, weight } of chances) {
    if (left < weight) return id;
    left -= weight;
  }
  throw new Error("the rest of a division was not below its divisor");
}

/** The random numbers of a spin, in the order in which they are tried. */
export function* numbersOf(seed: Uint8Array, clientSeed: string, nonce: number): Generator<bigint, never> {
  const message = `${clientSeed}:${nonce}`;
  for (let again = 0; ; again++) {
    const bytes = hmac(sha256, seed, utf8ToBytes(again ? `${message}:${again}` : message));
    yield new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  }
}

/** The prize of the first number that is not rejected; null when they run out. */
export function prizeFromNumbers(numbers: Iterable<bigint>, chances: readonly Chance[]): string | null {
  for (const number of numbers) {
    const id = prizeAt(number, chances);
    if (id !== null) return id;
  }
  return null;
}

/** The prize of a spin. There must be at least one chance. */
export function prizeOf(seed: Uint8Array, clientSeed: string, nonce: number, chances: readonly Chance[]): string {
  return prizeFromNumbers(numbersOf(seed, clientSeed, nonce), chances)!;
}

/** The commitment that a member sees before anything is drawn from a seed. */
export const commitOfSeed = (seed: Uint8Array): string => bytesToHex(sha256(seed));

/** A revealed seed pair, with all its spins. */
export interface RevealedPair {
  /** Hex. */
  seed: string;
  /** As it was shown before the first spin. */
  commit: string;
  clientSeed: string;
  /** Who chose the words. Null for pairs from the time when words came before the commit. */
  wordsBy: "member" | "house" | null;
  /** What the words bound the pair to. Null for pairs from the same time: nothing bound those. */
  table: { hash: string; prizes: readonly TableRow[] } | null;
  spins: readonly { nonce: number; id: string; prizes: readonly Chance[] }[];
}

interface PairChecks {
  /** The seed is the one that was committed to. */
  commit: boolean;
  /** The spins are counted from 0 without a gap. */
  complete: boolean;
  /** The table has its hash, and every spin was drawn from it. */
  table: boolean;
  /** Spins that should have won something else. */
  wrong: number[];
}

/** Checks a revealed pair from public data alone. */
export function checkPair({ seed, commit, clientSeed, wordsBy, table: bound, spins }: RevealedPair): PairChecks {
  const complete = spins.every(({ nonce }, i) => nonce === i);
  const table =
    bound === null
      ? wordsBy === null
      : hasItsHash(bound) && spins.every(({ prizes }) => isSameChances(prizes, bound.prizes));
  const all = spins.map(({ nonce }) => nonce);
  if (!/^[0-9a-f]{64}$/.test(seed)) return { commit: false, complete, table, wrong: all };
  const bytes = hexToBytes(seed);
  const isWrong = ({ nonce, id, prizes }: RevealedPair["spins"][number]) =>
    !canDraw(prizes) || prizeOf(bytes, clientSeed, nonce, prizes) !== id;
  const wrong = spins.filter(isWrong).map(({ nonce }) => nonce);
  return { commit: commitOfSeed(bytes) === commit, complete, table, wrong };
}

/** Whether a prize can be drawn from these. From other weights a draw might never end. */
const canDraw = (chances: readonly Chance[]): boolean =>
  [...chances.map(({ weight }) => weight), weightOf(chances)].every((one) => Number.isSafeInteger(one) && one > 0);

/** Whether a table's hash is that of what it says. */
export const hasItsHash = ({ hash, prizes }: { hash: string; prizes: readonly TableRow[] }): boolean =>
  tableHash(prizes) === hash;

const isSameChances = (some: readonly Chance[], others: readonly Chance[]): boolean =>
  some.length === others.length &&
  some.every(({ id, weight }, i) => id === others[i]!.id && weight === others[i]!.weight);
