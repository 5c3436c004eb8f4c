import { bytesToHex } from "@noble/hashes/utils.js";
import { beginningOf, consistencyOf, inclusionOf, proofOf, type Head } from "#shared/log/tree.ts";
import { MerkleTree, type Subtree } from "#shared/merkle.ts";

/** A tree that keeps every subtree, so that it can prove what it holds. */
export function provingTree() {
  const stored = new Map<string, Uint8Array>();
  const heads: Head[] = [{ size: 0, root: new MerkleTree().rootHash() }];
  const tree = new MerkleTree();
  const read = ({ level, index }: Subtree) => stored.get(`${level}/${index}`)!;
  return {
    heads,
    read,
    add(leaf: Uint8Array): void {
      tree.add(leaf, ({ level, index }, hash) => stored.set(`${level}/${index}`, hash));
      heads.push({ size: tree.size, root: tree.rootHash() });
    },
    inclusion: (index: number, size: number) => proofOf(inclusionOf(index, size), read).map(bytesToHex),
    consistency: (from: number, to: number) => proofOf(consistencyOf(from, to), read).map(bytesToHex),
    beginning: (from: number, to: number) => proofOf(beginningOf(from, to), read).map(bytesToHex),
    path: (index: number, size: number) => proofOf(inclusionOf(index, size), read),
  };
}
