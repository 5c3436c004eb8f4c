import { describe, expect, it } from "vitest";
import { consistencyOf, inclusionOf, isExtension, isIncluded, proofOf, rootOf } from "#shared/log/tree.ts";
import { leafHash, MerkleTree, type Subtree } from "#shared/merkle.ts";
import { entryOf, serverHash } from "./world.ts";

const MILLION = 1_000_000;
const HASH = 32;
/** Two cores that others use as well. */
const TIMEOUT_MS = 600_000;

/** How much of a core a step took, in the test's output. */
function timed<T>(step: string, work: () => T): T {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  console.warn(`${step}: ${Math.round((user + system) / 1_000)} ms`);
  return result;
}

/** All subtrees of a million leaves, each level in one block. */
class Stored {
  readonly #levels = Array.from({ length: 20 }, (_, level) => new Uint8Array(HASH * Math.ceil(MILLION / 2 ** level)));

  readonly keep = ({ level, index }: Subtree, hash: Uint8Array) => this.#levels[level]!.set(hash, index * HASH);
  readonly read = ({ level, index }: Subtree) => this.#levels[level]!.subarray(index * HASH, (index + 1) * HASH);
}

describe("a tree of a million leaves", () => {
  it(
    "grows by appending, and every subtree that it told gives proofs",
    () => {
      const { keep, read } = new Stored();
      const tree = new MerkleTree(serverHash);
      const half = MILLION - 345_679;
      let halfRoot = tree.rootHash();
      timed("a million leaves appended", () => {
        for (let i = 0; i < MILLION; i++) {
          if (i === half) halfRoot = tree.rootHash();
          tree.add(leafHash(entryOf(i), serverHash), keep);
        }
      });
      const head = { size: MILLION, root: tree.rootHash() };
      expect(Buffer.from(rootOf(MILLION, read, serverHash))).toEqual(head.root);
      const proof = proofOf(consistencyOf(half, MILLION), read, serverHash);
      expect(isExtension({ size: half, root: halfRoot }, head, proof, serverHash)).toBe(true);
      const places = Array.from({ length: 10_000 }, (_, i) => (i * 7_919) % MILLION);
      const failed = timed("10,000 proofs of inclusion made and checked", () =>
        places.filter((i) => {
          const path = proofOf(inclusionOf(i, MILLION), read, serverHash);
          return !isIncluded(leafHash(entryOf(i), serverHash), i, head, path, serverHash);
        }),
      );
      expect(failed).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
