import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256. Servers pass in a faster implementation. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of one leaf. A first byte separates leaves from nodes, as in RFC 6962, section 2.1. */
export function merkleLeaf(text: string, hash: Hash = sha256): Uint8Array {
  return hash(concatBytes(LEAF, utf8ToBytes(text)));
}

/** Takes leaves one by one and stores one subtree per level: a million leaves need the memory of twenty. */
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

  /** The root of the leaves so far, in hex, as RFC 6962 defines it. Without leaves, the hash of the empty string. */
  root(): string {
    let root: Uint8Array | undefined;
    for (const subtree of this.#levels) {
      if (!subtree) continue;
      root = root ? this.#hash(concatBytes(NODE, subtree, root)) : subtree;
    }
    return bytesToHex(root ?? this.#hash(new Uint8Array()));
  }
}
