import { HASH_BYTES } from "#shared/log/strict.ts";
import { LETTERS } from "./sha256.ts";

/** Leaves that wait for their tree: more than come between two looks. The oldest beyond go, and are hashed once more. */
const MOST = 100_000;

/** The leaves of bets with the numbers from `first` on, side by side. A bet that is not known here has zeros. */
export interface LeafRow {
  first: number;
  leaves: Uint8Array;
}

/** The leaves that receipts were made of, kept until the tree of their round takes them in. */
export class TakenLeaves {
  readonly #leaves = new Map<number, string>();

  /** One letter of a leaf is a byte. */
  add(bet: number, leaf: string): void {
    if (this.#leaves.size >= MOST) this.#leaves.delete(this.#leaves.keys().next().value!);
    this.#leaves.set(bet, leaf);
  }

  /** The leaves of at most `count` bets after a number. */
  after(bet: number, count: number): LeafRow {
    const first = bet + 1;
    let width = 0;
    for (const id of this.#leaves.keys()) if (id >= first) width = Math.max(width, Math.min(id - bet, count));
    const leaves = Buffer.alloc(width * HASH_BYTES);
    for (const [id, leaf] of this.#leaves) {
      if (id >= first && id - bet <= width) leaves.write(leaf, (id - first) * HASH_BYTES, LETTERS);
    }
    return { first, leaves };
  }

  /** Forgets the leaves up to a number: all trees have them. */
  forget(upTo: number): void {
    for (const id of this.#leaves.keys()) if (id <= upTo) this.#leaves.delete(id);
  }
}

/** Reads leaves from a row; null for one that is not known. */
export function leafReader({ first, leaves }: LeafRow): (bet: number) => string | null {
  const bytes = Buffer.from(leaves.buffer, leaves.byteOffset, leaves.byteLength);
  const unknown = "\0".repeat(HASH_BYTES);
  return (bet) => {
    const at = (bet - first) * HASH_BYTES;
    if (at < 0 || at >= bytes.length) return null;
    const leaf = bytes.toString(LETTERS, at, at + HASH_BYTES);
    return leaf === unknown ? null : leaf;
  };
}
