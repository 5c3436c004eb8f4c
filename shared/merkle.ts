import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256. Servers pass in a faster implementation. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

const LEAF = 0;
const NODE = 1;
const HASH_BYTES = 32;

/** Parts behind a first byte. A tree has as many of these as leaves and nodes, so they are joined without detours. */
function prefixed(first: number, one: Uint8Array, other?: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + one.length + (other?.length ?? 0));
  bytes[0] = first;
  bytes.set(one, 1);
  if (other) bytes.set(other, 1 + one.length);
  return bytes;
}

/** The hash of one leaf. A first byte separates leaves from nodes, as in RFC 6962, section 2.1. */
export const leafHash = (bytes: Uint8Array, hash: Hash = sha256): Uint8Array => hash(prefixed(LEAF, bytes));

/** The hash of a leaf that is a text. */
export const merkleLeaf = (text: string, hash: Hash = sha256): Uint8Array => leafHash(utf8ToBytes(text), hash);

/** The hash of two subtrees side by side. */
export const nodeHash = (left: Uint8Array, right: Uint8Array, hash: Hash = sha256): Uint8Array =>
  hash(prefixed(NODE, left, right));

/** The root over 2^n hashes that stand side by side. */
export function rootOfPower(hashes: Uint8Array, hash: Hash = sha256): Uint8Array {
  const nodes = new Uint8Array(hashes);
  const pair = new Uint8Array(1 + 2 * HASH_BYTES);
  pair[0] = NODE;
  for (let width = nodes.length / 2; width >= HASH_BYTES; width /= 2) {
    for (let at = 0; at < width; at += HASH_BYTES) {
      pair.set(nodes.subarray(2 * at, 2 * at + 2 * HASH_BYTES), 1);
      nodes.set(hash(pair), at);
    }
  }
  return nodes.slice(0, HASH_BYTES);
}

/** A complete subtree: 2^level leaves, of which the first is number index × 2^level. It never changes. */
export interface Subtree {
  level: number;
  index: number;
}

/** Takes leaves one by one and stores one subtree per level: a million leaves need the memory of twenty. */
export class MerkleTree {
  readonly #levels: (Uint8Array | undefined)[] = [];
  readonly #hash: Hash;
  #size = 0;

  constructor(hash: Hash = sha256) {
    this.#hash = hash;
  }

  /** Goes on from `size` leaves. The edge is that of a tree of this size. */
  static resume(size: number, edge: readonly Uint8Array[], hash: Hash = sha256): MerkleTree {
    const tree = new MerkleTree(hash);
    tree.#size = size;
    let next = edge.length;
    for (let level = 0, left = size; left > 0; level++, left = Math.floor(left / 2))
      if (left % 2 === 1) tree.#levels[level] = edge[--next];
    if (next !== 0) throw new RangeError(`${edge.length} subtrees are not the edge of ${size} leaves`);
    return tree;
  }

  /** How many leaves there are. */
  get size(): number {
    return this.#size;
  }

  /** The largest complete subtrees, from the left. With the size, they are all that the next leaves need. */
  get edge(): Uint8Array[] {
    return this.#levels.filter((subtree) => subtree !== undefined).reverse();
  }

  /** Tells each subtree that the leaf completes, the leaf itself first. Proofs are made of these. */
  add(leaf: Uint8Array, completed?: (subtree: Subtree, hash: Uint8Array) => void): void {
    let node = leaf;
    let level = 0;
    let index = this.#size++;
    completed?.({ level, index }, node);
    for (; this.#levels[level]; level++) {
      node = nodeHash(this.#levels[level]!, node, this.#hash);
      this.#levels[level] = undefined;
      index = Math.floor(index / 2);
      completed?.({ level: level + 1, index }, node);
    }
    this.#levels[level] = node;
  }

  /** The root of the leaves so far, as RFC 6962 defines it. Without leaves, the hash of the empty string. */
  rootHash(): Uint8Array {
    let root: Uint8Array | undefined;
    for (const subtree of this.#levels) {
      if (!subtree) continue;
      root = root ? nodeHash(subtree, root, this.#hash) : subtree;
    }
    return root ?? this.#hash(new Uint8Array());
  }

  /** The same in hex. */
  root(): string {
    return bytesToHex(this.rootHash());
  }
}
