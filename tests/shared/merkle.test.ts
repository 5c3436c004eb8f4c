import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MerkleTree, merkleLeaf } from "#shared/merkle.ts";

const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** Section 2.1 of RFC 6962, word for word: split at the largest power of two below the number of leaves. */
function plainRoot(texts: string[]): Buffer {
  if (texts.length === 0) return sha256();
  if (texts.length === 1) return sha256(Buffer.of(0), Buffer.from(texts[0]!));
  let split = 1;
  while (split * 2 < texts.length) split *= 2;
  return sha256(Buffer.of(1), plainRoot(texts.slice(0, split)), plainRoot(texts.slice(split)));
}

function rootOf(texts: string[]): string {
  const tree = new MerkleTree();
  for (const text of texts) tree.add(merkleLeaf(text));
  return tree.root();
}

describe("the Merkle root", () => {
  it("is that of RFC 6962 for every number of leaves", () => {
    const texts: string[] = [];
    const tree = new MerkleTree();
    for (let size = 0; size <= 260; size++) {
      expect(tree.root()).toBe(plainRoot(texts).toString("hex"));
      texts.push(`leaf ${size}`);
      tree.add(merkleLeaf(texts.at(-1)!));
    }
  });

  it("is that of RFC 6962 for any leaves", () => {
    const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 70 });
    fc.assert(
      fc.property(texts, (texts) => {
        expect(rootOf(texts)).toBe(plainRoot(texts).toString("hex"));
      }),
    );
  });

  it("is the one that Certificate Transparency publishes for its eight test leaves", () => {
    const leaves = ["", "\0", "\u0010", " !", "01", "@ABC", "PQRSTUVW", "`abcdefghijklmno"];
    expect(rootOf(leaves.slice(0, 1))).toBe("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    expect(rootOf(leaves.slice(0, 2))).toBe("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125");
    expect(rootOf(leaves.slice(0, 7))).toBe("ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c");
    expect(rootOf(leaves)).toBe("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
  });

  it("changes when a leaf is changed, added, left out or moved", () => {
    const texts = Array.from({ length: 37 }, (_, i) => `leaf ${i}`);
    const others = texts.flatMap((text, i) => [
      texts.with(i, `${text}!`),
      texts.toSpliced(i, 1),
      texts.toSpliced(i, 0, text),
      i ? texts.with(i, texts[i - 1]!).with(i - 1, text) : [...texts, "leaf 37"],
    ]);
    expect(new Set([texts, ...others].map(rootOf)).size).toBe(1 + others.length);
  });

  it("does not confuse two leaves with one that spells their hashes", () => {
    const [left, right] = [merkleLeaf("a"), merkleLeaf("b")];
    const spelt = sha256(Buffer.of(0), left, right).toString("hex");
    expect(rootOf(["a", "b"])).not.toBe(spelt);
  });

  it("can be read at any time, and as often as needed", () => {
    const tree = new MerkleTree();
    for (const text of ["a", "b", "c"]) {
      tree.add(merkleLeaf(text));
      expect(tree.root()).toBe(tree.root());
    }
    expect(tree.root()).toBe(rootOf(["a", "b", "c"]));
  });

  it("is the same with a server's own hash", () => {
    const tree = new MerkleTree(sha256);
    for (const text of ["a", "b", "c"]) tree.add(merkleLeaf(text, sha256));
    expect(tree.root()).toBe(rootOf(["a", "b", "c"]));
  });
});
