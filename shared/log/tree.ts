import { sha256 } from "@noble/hashes/sha2.js";
import { nodeHash, type Hash, type Subtree } from "#shared/merkle.ts";
import { HASH_BYTES, isSame, isWhole } from "./strict.ts";

/**
 * Proofs over a Merkle tree as RFC 6962 defines them: that a leaf is in a tree, and that a tree begins with another one.
 * Making one first names the stored subtrees that it needs, so that they can be read in one go. Checking one follows
 * the algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2. Sizes are safe integers, beyond 32 bits.
 */

/** The leaves from..to, without `to`. */
export type Leaves = readonly [from: number, to: number];

/** The hash of a complete subtree, as it was stored when its last leaf came. */
export type ReadSubtree = (subtree: Subtree) => Uint8Array;

/** The largest power of two below a number from 2 on. */
export function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** The complete subtrees that make up these leaves, from the left. */
export function subtreesOf([from, to]: Leaves): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to;) {
    let level = 0;
    let width = 1;
    for (; width * 2 <= to - at; width *= 2) level++;
    if (at % width !== 0) throw new RangeError(`no part of a tree: ${from}..${to}`);
    subtrees.push({ level, index: at / width });
    at += width;
  }
  return subtrees;
}

/** What a proof of inclusion holds: the leaves under each of its hashes, from the leaf up. */
export function inclusionOf(index: number, size: number): Leaves[] {
  if (!isWhole(index) || !isWhole(size) || index >= size) throw new RangeError(`no leaf ${index} of ${size}`);
  const parts: Leaves[] = [];
  for (let from = 0, to = size; to - from > 1;) {
    const middle = from + splitOf(to - from);
    parts.push(index < middle ? [middle, to] : [from, middle]);
    if (index < middle) to = middle;
    else from = middle;
  }
  return parts.reverse();
}

/** What a proof of consistency holds. None is needed from the empty tree, or between trees of one size. */
export function consistencyOf(older: number, size: number): Leaves[] {
  if (!isWhole(older) || !isWhole(size) || older > size) throw new RangeError(`${size} leaves do not extend ${older}`);
  if (older === 0) return [];
  const parts: Leaves[] = [];
  let [from, to] = [0, size];
  while (older !== to) {
    const middle = from + splitOf(to - from);
    parts.push(older <= middle ? [middle, to] : [from, middle]);
    if (older <= middle) to = middle;
    else from = middle;
  }
  if (from !== 0) parts.push([from, to]);
  return parts.reverse();
}

/** A logarithm would not do: beyond 2^48 the numbers beside a power have the same one. */
const isPowerOfTwo = (size: number): boolean => splitOf(size + 1) === size;

/**
 * What shows how a tree begins: a proof of consistency. Where that leaves the root of the first leaves out, as between trees
 * that agree, it comes first.
 */
export const beginningOf = (older: number, size: number): Leaves[] => [
  ...(isPowerOfTwo(older) ? [[0, older] as const] : []),
  ...consistencyOf(older, size),
];

/** The hash over some leaves of a tree. */
export function hashOf(leaves: Leaves, read: ReadSubtree, hash: Hash = sha256): Uint8Array {
  const [last, ...rest] = subtreesOf(leaves).map(read).reverse();
  return rest.reduce((right, left) => nodeHash(left, right, hash), last ?? hash(new Uint8Array()));
}

/** The root of the first `size` leaves. */
export const rootOf = (size: number, read: ReadSubtree, hash: Hash = sha256): Uint8Array =>
  hashOf([0, size], read, hash);

/** The hashes of a proof. */
export const proofOf = (parts: readonly Leaves[], read: ReadSubtree, hash: Hash = sha256): Uint8Array[] =>
  parts.map((leaves) => hashOf(leaves, read, hash));

/** A tree of which a proof speaks. */
export interface Head {
  size: number;
  root: Uint8Array;
}

const half = (number: number) => Math.floor(number / 2);
const isOdd = (number: number) => number % 2 === 1;
const isHead = ({ size, root }: Head) => isWhole(size) && root.length === HASH_BYTES;
const areHashes = (path: readonly Uint8Array[]) => path.every(({ length }) => length === HASH_BYTES);

/** The root that a leaf's path leads to, in a tree of this size. Null if a path there has another length. */
export function rootFrom(
  leaf: Uint8Array,
  { index, size, path }: { index: number; size: number; path: readonly Uint8Array[] },
  hash: Hash = sha256,
): Uint8Array | null {
  if (!isWhole(size) || !isWhole(index) || index >= size || !areHashes([leaf, ...path])) return null;
  let [place, last, root] = [index, size - 1, leaf];
  for (const other of path) {
    if (last === 0) return null;
    if (isOdd(place) || place === last) {
      root = nodeHash(other, root, hash);
      // Not 0, so an odd number comes.
      for (; !isOdd(place); last = half(last)) place = half(place);
    } else root = nodeHash(root, other, hash);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : null;
}

/** Whether the leaf with this hash is number `index` of the tree. */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  head: Head,
  path: readonly Uint8Array[],
  hash: Hash = sha256,
): boolean {
  const root = rootFrom(leaf, { index, size: head.size, path }, hash);
  return root !== null && isSame(root, head.root);
}

/**
 * The roots that a proof of consistency leads to: that of the first `older.size` leaves, and that of all. Null if a proof
 * there has another length. A proof that leads to the newer root holds true hashes of that tree: if it then leads to
 * another older root, the newer tree begins otherwise. Where the older size is a power of two, the proof leaves the older
 * root out, and it is taken as given.
 */
export function rootsFrom(
  older: Head,
  size: number,
  path: readonly Uint8Array[],
  hash: Hash = sha256,
): [older: Uint8Array, newer: Uint8Array] | null {
  if (!isHead(older) || !isWhole(size) || older.size === 0 || older.size >= size || !areHashes(path)) return null;
  let [place, last] = [older.size - 1, size - 1];
  for (; isOdd(place); last = half(last)) place = half(place);
  // A complete older tree is a subtree of the newer one: its root is the first hash, and the proof leaves it out.
  const [first, ...others] = place === 0 ? [older.root, ...path] : path;
  if (!first) return null;
  let [olderRoot, newerRoot] = [first, first];
  for (const other of others) {
    if (last === 0) return null;
    if (isOdd(place) || place === last) {
      olderRoot = nodeHash(other, olderRoot, hash);
      newerRoot = nodeHash(other, newerRoot, hash);
      // Not 0, so an odd number comes.
      for (; !isOdd(place); last = half(last)) place = half(place);
    } else newerRoot = nodeHash(newerRoot, other, hash);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? [olderRoot, newerRoot] : null;
}

/**
 * Whether hashes, as `beginningOf` names them, show that the newer tree begins with other leaves than the older one has.
 * Only hashes that lead to the newer root are that tree's own: all others show nothing, and anybody could have made them.
 */
export function isOtherBeginning(
  older: Head,
  newer: Head,
  hashes: readonly Uint8Array[],
  hash: Hash = sha256,
): boolean {
  const [root, ...path] = isPowerOfTwo(older.size) ? hashes : [older.root, ...hashes];
  const roots = root ? rootsFrom({ ...older, root }, newer.size, path, hash) : null;
  return roots !== null && isSame(roots[1], newer.root) && !isSame(roots[0], older.root);
}

/** Whether the newer tree begins with all leaves of the older one. */
export function isExtension(older: Head, newer: Head, path: readonly Uint8Array[], hash: Hash = sha256): boolean {
  if (!isHead(older) || !isHead(newer) || !areHashes(path)) return false;
  if (older.size === newer.size) return path.length === 0 && isSame(older.root, newer.root);
  if (older.size === 0) return path.length === 0 && isSame(older.root, hash(new Uint8Array()));
  const roots = rootsFrom(older, newer.size, path, hash);
  return roots !== null && isSame(roots[0], older.root) && isSame(roots[1], newer.root);
}
