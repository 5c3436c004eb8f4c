import { createHash, createPrivateKey, createPublicKey, hash, sign } from "node:crypto";
import { keyOf, NOTE_KEY, signNote, type KeyType, type Signer } from "#shared/log/note.ts";
import { checkpointText } from "#shared/log/checkpoint.ts";
import { leafHash, MerkleTree, type Hash, type Subtree } from "#shared/merkle.ts";
import type { Head, ReadSubtree } from "#shared/log/tree.ts";

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const hexOf = (some: Uint8Array): string => Buffer.from(some).toString("hex");
export const base64Of = (some: Uint8Array): string => Buffer.from(some).toString("base64");
/** The hash that a server passes in. */
export const serverHash: Hash = (bytes) => hash("sha256", bytes, "buffer");

export const sha256 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash("sha256").update(Buffer.concat(parts)).digest());

/** A key pair that follows from a word, signed with by Node's own Ed25519. */
function pairOf(word: string) {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), sha256(bytes(word))]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  return { privateKey, publicKey: new Uint8Array(Buffer.from(x!, "base64url")) };
}

/** Whoever signs notes under this name. */
export function signerOf(name: string, type: KeyType = NOTE_KEY, word = name): Signer {
  const { privateKey, publicKey } = pairOf(word);
  return { key: keyOf(name, publicKey, type), sign: (message) => new Uint8Array(sign(null, message, privateKey)) };
}

export const entryOf = (i: number): Uint8Array => bytes(`entry ${i}`);

/** A tree that keeps every subtree, and its heads of every size. */
export function grownTree(size: number) {
  const stored = new Map<string, Uint8Array>();
  const nameOf = ({ level, index }: Subtree) => `${level}/${index}`;
  const tree = new MerkleTree();
  const heads: Head[] = [{ size: 0, root: tree.rootHash() }];
  for (let i = 0; i < size; i++) {
    tree.add(leafHash(entryOf(i)), (subtree, hash) => stored.set(nameOf(subtree), hash));
    heads.push({ size: i + 1, root: tree.rootHash() });
  }
  const read: ReadSubtree = (subtree) => {
    const hash = stored.get(nameOf(subtree));
    if (!hash) throw new Error(`subtree ${nameOf(subtree)} was never completed`);
    return hash;
  };
  return { heads, read };
}

/** A signed head. */
export const headNote = (head: Head, signer: Signer, origin = signer.key.name) =>
  signNote({ text: checkpointText({ ...head, origin, extensions: [] }), signatures: [] }, signer);
