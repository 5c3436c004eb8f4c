import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256; servers hand in their faster one. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of one leaf. Leaves and nodes are told apart by a first byte, as in RFC 6962, section 2.1. */
export function merkleLeaf(text: string, hash: Hash = sha256): Uint8Array {
  return hash(concatBytes(LEAF, utf8ToBytes(text)));
}

/** Takes leaves one by one and holds one subtree per level, so a million leaves need no more memory than twenty. */
export class MerkleTree {
  readonly #levels: (Uint8Array | undefined)[] = [];
  readonly #hash: Hash;

  constructor(hash: Hash = sha256) {
    this.#hash = hash;
  }

  add(leaf: Uint8Array): void {
    let node = leaf;
    let level = 0;
    for (; this.#levels[level]; level++) {
      node = this.#hash(concatBytes(NODE, this.#levels[level]!, node));
      this.#levels[level] = undefined;
    }
    this.#levels[level] = node;
  }

  /** The root in hex: that of RFC 6962 for the leaves so far; of no leaves, the hash of nothing. */
  root(): string {
    let root: Uint8Array | undefined;
    for (const subtree of this.#levels) {
      if (!subtree) continue;
      root = root ? this.#hash(concatBytes(NODE, subtree, root)) : subtree;
    }
    return bytesToHex(root ?? this.#hash(new Uint8Array()));
  }
}
