import { splitOf } from "#shared/log/tree.ts";
import { LETTERS, nodeDigest } from "./sha256.ts";

/*
 * Trees over few leaves, fast: the same bytes as those of shared/log/tree.ts. One letter of these texts is a byte.
 */

/** The root over some leaves, of which there is one at least. */
export function rootDigest(leaves: readonly string[], from = 0, to = leaves.length): string {
  if (to - from === 1) return leaves[from]!;
  const middle = from + splitOf(to - from);
  return nodeDigest(rootDigest(leaves, from, middle), rootDigest(leaves, middle, to));
}

/** The root over some leaves, with the path of each from below. */
export function pathDigests(leaves: readonly string[]): { root: string; paths: string[] } {
  const paths = leaves.map(() => "");
  const over = (from: number, to: number): string => {
    if (to - from === 1) return leaves[from]!;
    const middle = from + splitOf(to - from);
    const [left, right] = [over(from, middle), over(middle, to)];
    for (let i = from; i < to; i++) paths[i] += i < middle ? right : left;
    return nodeDigest(left, right);
  };
  return { root: over(0, leaves.length), paths };
}

/** The path of one leaf from below, in hex. */
export function pathDigest(leaves: readonly string[], index: number, from = 0, to = leaves.length): string[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  const isLeft = index < middle;
  const sibling = isLeft ? rootDigest(leaves, middle, to) : rootDigest(leaves, from, middle);
  const below = isLeft ? pathDigest(leaves, index, from, middle) : pathDigest(leaves, index, middle, to);
  return [...below, Buffer.from(sibling, LETTERS).toString("hex")];
}
