import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginningOf,
  consistencyOf,
  inclusionOf,
  isExtension,
  isIncluded,
  proofOf,
  rootOf,
  subtreesOf,
} from "#shared/log/tree.ts";
import { leafHash, MerkleTree, nodeHash } from "#shared/merkle.ts";
import { bytes, entryOf, grownTree, hexOf, serverHash, sha256 } from "./world.ts";

/** Sections 2.1 to 2.1.2 of RFC 6962, word for word. */
const plain = {
  split(count: number) {
    let split = 1;
    while (split * 2 < count) split *= 2;
    return split;
  },
  root(leaves: Uint8Array[]): Uint8Array {
    if (leaves.length === 0) return sha256();
    if (leaves.length === 1) return sha256(Uint8Array.of(0), leaves[0]!);
    const split = plain.split(leaves.length);
    return sha256(Uint8Array.of(1), plain.root(leaves.slice(0, split)), plain.root(leaves.slice(split)));
  },
  path(index: number, leaves: Uint8Array[]): Uint8Array[] {
    if (leaves.length === 1) return [];
    const split = plain.split(leaves.length);
    const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
    return index < split
      ? [...plain.path(index, left), plain.root(right)]
      : [...plain.path(index - split, right), plain.root(left)];
  },
  proof: (older: number, leaves: Uint8Array[]) => plain.subproof(older, leaves, true),
  subproof(older: number, leaves: Uint8Array[], isWhole: boolean): Uint8Array[] {
    if (older === leaves.length) return isWhole ? [] : [plain.root(leaves)];
    const split = plain.split(leaves.length);
    const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
    return older <= split
      ? [...plain.subproof(older, left, isWhole), plain.root(right)]
      : [...plain.subproof(older - split, right, false), plain.root(left)];
  },
};

const MOST = 300;
const { heads, read } = grownTree(MOST);
const leafOf = (i: number) => leafHash(entryOf(i));
const leaves = heads.map(({ size }) => leafOf(size));
const inclusion = (index: number, size: number) => proofOf(inclusionOf(index, size), read, serverHash);
const consistency = (older: number, size: number) => proofOf(consistencyOf(older, size), read, serverHash);
const flipped = (hash: Uint8Array, bit = 0) => hash.with(bit >> 3, hash[bit >> 3]! ^ (1 << (bit & 7)));

describe("how a tree begins", () => {
  it("takes the root of the first leaves in where their number is a power of two, and nowhere beside it", () => {
    const hasRoot = (older: number) => beginningOf(older, older + 1).some(([from, to]) => from === 0 && to === older);
    for (let power = 2; power <= 2 ** 52; power *= 2)
      expect([power, power - 1, power + 1].map(hasRoot)).toEqual([true, power === 2, false]);
  });
});

describe("the subtrees of a tree", () => {
  it("give the root of every size", () => {
    for (const { size, root } of heads) expect(hexOf(rootOf(size, read))).toBe(hexOf(root));
  });

  it("let a tree go on from any size", () => {
    for (const { size, root } of heads.slice(0, 70)) {
      const edge = subtreesOf([0, size]).map(read);
      const tree = MerkleTree.resume(size, edge);
      expect([tree.size, hexOf(tree.rootHash()), tree.edge]).toEqual([size, hexOf(root), edge]);
      for (let i = size; i < 70; i++) tree.add(leafOf(i));
      expect(hexOf(tree.rootHash())).toBe(hexOf(heads[70]!.root));
    }
  });

  it("are refused as the edge of a tree of another size", () => {
    const edge = subtreesOf([0, 7]).map(read);
    expect(() => MerkleTree.resume(6, edge)).toThrow(RangeError);
    expect(() => MerkleTree.resume(15, edge)).toThrow(RangeError);
  });

  it("make up no leaves that begin elsewhere", () => {
    expect(() => subtreesOf([1, 3])).toThrow(RangeError);
  });
});

describe("a proof", () => {
  it("is the one of RFC 6962", () => {
    for (let size = 1; size <= 70; size++) {
      const tree = Array.from({ length: size }, (_, i) => entryOf(i));
      for (let i = 0; i < size; i++) expect(inclusion(i, size).map(hexOf)).toEqual(plain.path(i, tree).map(hexOf));
      for (let older = 1; older <= size; older++)
        expect(consistency(older, size).map(hexOf)).toEqual(plain.proof(older, tree).map(hexOf));
    }
  });

  it("shows every leaf of every tree up to 300 leaves", () => {
    const failed = heads.flatMap((head) =>
      Array.from({ length: head.size }, (_, i) => i)
        .filter((i) => !isIncluded(leaves[i]!, i, head, inclusion(i, head.size), serverHash))
        .map((i) => `${i} of ${head.size}`),
    );
    expect(failed).toEqual([]);
  });

  it("joins every two trees up to 300 leaves", () => {
    const failed = heads.flatMap((newer) =>
      heads
        .slice(0, newer.size + 1)
        .filter((older) => !isExtension(older, newer, consistency(older.size, newer.size), serverHash))
        .map(({ size }) => `${size} to ${newer.size}`),
    );
    expect(failed).toEqual([]);
  });

  it("is made for no leaf outside the tree, and from no larger tree to a smaller one", () => {
    expect(() => inclusionOf(5, 5)).toThrow(RangeError);
    expect(() => inclusionOf(-1, 5)).toThrow(RangeError);
    expect(() => inclusionOf(0.5, 5)).toThrow(RangeError);
    expect(() => consistencyOf(6, 5)).toThrow(RangeError);
  });
});

describe("a spoiled proof of inclusion", () => {
  const size = 100;
  const head = heads[size]!;

  it("is refused whichever bit is flipped, whatever hash is left out, added or swapped", () => {
    const place = fc.record({ index: fc.nat(size - 1), at: fc.nat(6), bit: fc.nat(255) });
    fc.assert(
      fc.property(place, ({ index, at, bit }) => {
        const [leaf, path] = [leafOf(index), inclusion(index, size)];
        const i = at % path.length;
        expect(isIncluded(flipped(leaf, bit), index, head, path)).toBe(false);
        expect(isIncluded(leaf, index, { ...head, root: flipped(head.root, bit) }, path)).toBe(false);
        expect(isIncluded(leaf, index, head, path.with(i, flipped(path[i]!, bit)))).toBe(false);
        expect(isIncluded(leaf, index, head, path.toSpliced(i, 1))).toBe(false);
        expect(isIncluded(leaf, index, head, path.toSpliced(i, 0, path[i]!))).toBe(false);
        expect(isIncluded(leaf, index, head, path.with(i, path[0]!).with(0, path[i]!))).toBe(i === 0);
        expect(isIncluded(leaf, (index + 1 + at) % size, head, path)).toBe(false);
      }),
    );
  });

  it("is refused for another size, or a place that is no number of a leaf", () => {
    const [leaf, path] = [leafOf(99), inclusion(99, size)];
    for (const other of [0, 99, 101, 128, 200, 99.5, -1, Number.NaN, 2 ** 53])
      expect(isIncluded(leaf, 99, { ...head, size: other }, path)).toBe(false);
    for (const index of [100, -1, 0.5, Number.NaN, 2 ** 53]) expect(isIncluded(leaf, index, head, path)).toBe(false);
  });

  it("is refused with a hash of another length", () => {
    const path = inclusion(3, size);
    expect(isIncluded(leafOf(3), 3, head, path.with(0, path[0]!.slice(1)))).toBe(false);
    expect(isIncluded(leafOf(3), 3, head, [...path, new Uint8Array()])).toBe(false);
    expect(isIncluded(bytes("short"), 0, { size: 1, root: bytes("short") }, [])).toBe(false);
  });

  it("is refused where an inner node is passed off as a leaf", () => {
    const node = nodeHash(leafOf(0), leafOf(1));
    expect(isIncluded(node, 0, { size: 2, root: heads[4]!.root }, inclusion(0, 4).slice(1))).toBe(true);
    expect(isIncluded(node, 0, heads[4]!, inclusion(0, 4).slice(1))).toBe(false);
  });
});

describe("a spoiled proof of consistency", () => {
  it("is refused whichever bit is flipped, whatever hash is left out or added", () => {
    const place = fc.record({
      older: fc.integer({ min: 1, max: 99 }),
      more: fc.nat(99),
      at: fc.nat(9),
      bit: fc.nat(255),
    });
    fc.assert(
      fc.property(place, ({ older, more, at, bit }) => {
        const [from, to] = [heads[older]!, heads[older + 1 + more]!];
        const path = consistency(from.size, to.size);
        const i = at % path.length;
        expect(isExtension(from, to, path.with(i, flipped(path[i]!, bit)))).toBe(false);
        expect(isExtension(from, to, path.toSpliced(i, 1))).toBe(false);
        expect(isExtension(from, to, path.toSpliced(i, 0, path[i]!))).toBe(false);
        expect(isExtension(from, to, [...path, path[i]!])).toBe(false);
        expect(isExtension({ ...from, root: flipped(from.root, bit) }, to, path)).toBe(false);
        expect(isExtension(from, { ...to, root: flipped(to.root, bit) }, path)).toBe(false);
      }),
    );
  });

  it("is refused for other sizes, for a larger tree before a smaller one, and without its hashes", () => {
    const path = consistency(37, 90);
    const [older, newer] = [heads[37]!, heads[90]!];
    for (const size of [0, 36, 38, 90, 91, 36.5, -1, 2 ** 53])
      expect(isExtension({ ...older, size }, newer, path)).toBe(false);
    for (const size of [0, 36, 37, 38, 64, 129, 90.5, -1])
      expect(isExtension(older, { ...newer, size }, path)).toBe(false);
    expect(isExtension(newer, older, path)).toBe(false);
    expect(isExtension(older, newer, [])).toBe(false);
    expect(isExtension(older, newer, path.with(1, path[1]!.slice(1)))).toBe(false);
  });

  it("does not tell two larger sizes apart: a head's signature does", () => {
    expect(isExtension(heads[37]!, { ...heads[90]!, size: 91 }, consistency(37, 90))).toBe(true);
  });

  it("is refused between two trees of one size that differ, or with hashes that nobody needs", () => {
    const head = heads[8]!;
    expect(isExtension(head, { size: 8, root: heads[9]!.root }, [])).toBe(false);
    expect(isExtension(head, head, [head.root])).toBe(false);
    expect(isExtension(heads[0]!, head, [head.root])).toBe(false);
    expect(isExtension({ size: 0, root: head.root }, head, [])).toBe(false);
  });

  it("is refused for a fork: another leaf below the older size", () => {
    const fork = new MerkleTree();
    for (let i = 0; i < 90; i++) fork.add(i === 5 ? leafHash(bytes("another")) : leafOf(i));
    expect(isExtension(heads[37]!, { size: 90, root: fork.rootHash() }, consistency(37, 90))).toBe(false);
  });
});

describe("a tree of a hundred million leaves", () => {
  const size = 100_000_000;
  /** A tree whose leaves are all the same has one hash a level. */
  const levels = [leafHash(bytes("same"))];
  for (let level = 1; level < 30; level++) levels.push(nodeHash(levels[level - 1]!, levels[level - 1]!));
  const same = ({ level }: { level: number }) => levels[level]!;

  it("has paths of 27 hashes, which are 864 bytes", () => {
    const root = rootOf(size, same);
    for (const index of [0, 1, 12_345_678, 67_108_863]) {
      const path = proofOf(inclusionOf(index, size), same);
      expect(path.reduce((sum, hash) => sum + hash.length, 0)).toBe(864);
      expect(isIncluded(levels[0]!, index, { size, root }, path)).toBe(true);
    }
  });

  it("can be far larger than 32 bits count", () => {
    const large = 2 ** 52 + 12_345;
    const deep = ({ level }: { level: number }) => {
      for (let next = levels.length; next <= level; next++) levels.push(nodeHash(levels[next - 1]!, levels[next - 1]!));
      return levels[level]!;
    };
    const [older, newer] = [2 ** 40 + 77, large].map((size) => ({ size, root: rootOf(size, deep) }));
    expect(isExtension(older!, newer!, proofOf(consistencyOf(older!.size, large), deep))).toBe(true);
    expect(isIncluded(levels[0]!, large - 1, newer!, proofOf(inclusionOf(large - 1, large), deep))).toBe(true);
    expect(isIncluded(levels[0]!, 2 ** 33, newer!, proofOf(inclusionOf(2 ** 33, large), deep))).toBe(true);
  });
});
