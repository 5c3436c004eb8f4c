import type { Tx } from "#db/db.ts";
import { logHeads, logKeys, logLeaves, logTiles } from "#db/schema/log.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import { keyChangeText, leafKey, leafText, type Leaf } from "#shared/log/leaf.ts";
import { keyText, noteText, type Signer } from "#shared/log/note.ts";
import { leafHash, MerkleTree } from "#shared/merkle.ts";
import { base64Of, bytes, headNote, hexOf, serverHash, signerOf } from "../../log/world.ts";

/** A log as a server would have written it, of up to 256 leaves. */
export interface SmallLog {
  log: number;
  /** Each time ends a head. */
  leaves: Leaf[];
  /** Its keys: the first gives it its name. Each further one is brought by the next leaf of the kind. */
  keys: { id: number; word: string; createdAt: number }[];
}

/** Whoever signs a log, and the name that the word of its first key gives it. */
export function signersOfLog(words: readonly string[]): { origin: string; signers: Signer[] } {
  const origin = originOf("house.example", signerOf("any", undefined, words[0]).key.publicKey);
  return { origin, signers: words.map((word) => signerOf(origin, undefined, word)) };
}

/** The leaf by which the second of two keys replaces the first. */
export function changeOfKey(old: Signer, next: Signer, at: number): Leaf<"key"> {
  const change = { old: keyText(old.key), next: keyText(next.key), batch: 0, reason: "", at };
  const [old_signature, next_signature] = [old, next].map((one) => base64Of(one.sign(bytes(keyChangeText(change)))));
  return { kind: "key", ...change, old_signature: old_signature!, next_signature: next_signature! };
}

/** The key of a leaf's row. */
export const rowKey = (leaf: Leaf): string =>
  shortKey("hash" in leaf && Object.keys(leaf).length === 2 ? `${leaf.kind}:${leaf.hash}` : leafKey(leaf as never));

/** Leaves that wait for their number, in this order. */
export async function putWaiting(tx: Tx, log: number, ...leaves: (Leaf | string)[]): Promise<void> {
  const row = (leaf: Leaf | string, i: number) =>
    typeof leaf === "string" ? { key: `waits ${i}`, text: leaf } : { key: rowKey(leaf), text: leafText(leaf) };
  for (const [i, leaf] of leaves.entries()) await tx.insert(logLeaves).values({ log, ...row(leaf, i) });
}

export async function putLog(tx: Tx, { log, leaves, keys }: SmallLog): Promise<void> {
  const { origin, signers } = signersOfLog(keys.map(({ word }) => word));
  const row = { log, origin, sealedKey: "sealed", firstBatch: 1 };
  await tx
    .insert(logKeys)
    .values(
      keys.map(({ id, createdAt }, i) => ({ ...row, id, createdAt, publicKey: hexOf(signers[i]!.key.publicKey) })),
    );
  const tree = new MerkleTree(serverHash);
  const hashes: Uint8Array[] = [];
  let signer = signers.shift()!;
  for (const [number, leaf] of leaves.entries()) {
    const text = leafText(leaf);
    const hash = leafHash(bytes(text), serverHash);
    tree.add(hash);
    hashes.push(hash);
    await tx.insert(logLeaves).values({ log, key: rowKey(leaf), text, number });
    if (leaf.kind === "key") signer = signers.shift()!;
    if (leaf.kind !== "time") continue;
    const head = { size: tree.size, root: tree.rootHash() };
    const note = noteText(headNote(head, signer, origin));
    const row = { log, size: head.size, root: hexOf(head.root), at: leaf.time, note, announcedAt: leaf.time };
    await tx.insert(logHeads).values(row);
  }
  if (hashes.length > 0) await tx.insert(logTiles).values({ log, level: 0, index: 0, hashes: Buffer.concat(hashes) });
}
