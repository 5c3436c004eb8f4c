import { bytesToHex } from "@noble/hashes/utils.js";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { entriesPath, parseBundle, readingTiles, tilePath, tilesOf, WIDTH } from "#shared/log/tiles.ts";
import { beginningOf, inclusionOf, isIncluded, proofOf, subtreesOf, type Head, type Leaves } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import type { ReadHead } from "./check-head.ts";

/** A file of the log, by its path. Throws if it did not come. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

/** A leaf and the hashes that prove it. */
export interface ProvenLeaf {
  leaf: Leaf;
  text: string;
  path: Uint8Array[];
}

export const leafAt = async (...of: Parameters<typeof provenLeaf>): Promise<Leaf | null> =>
  (await provenLeaf(...of))?.leaf ?? null;

/** A leaf of a log, proved to stand in this head by the log's own files. Null if they do not prove one. */
export async function provenLeaf(number: number, { checkpoint }: ReadHead, read: ReadFile): Promise<ProvenLeaf | null> {
  const { size } = checkpoint;
  if (number >= size) return null;
  const index = Math.floor(number / WIDTH);
  const width = Math.min(size - index * WIDTH, WIDTH);
  const entry = parseBundle(await read(entriesPath({ index, width })), width)?.[number - index * WIDTH];
  const text = entry && parseUtf8(entry);
  if (!text) return null;
  const path = await hashesAt(inclusionOf(number, size), size, read);
  const isThere = path !== null && isIncluded(merkleLeaf(text), number, checkpoint, path);
  const leaf = isThere ? parseLeaf(text) : null;
  return leaf && { leaf, text, path: path! };
}

/** The hashes over some leaves of a log, from its own files. Null if they hold none. */
export async function hashesAt(parts: readonly Leaves[], size: number, read: ReadFile): Promise<Uint8Array[] | null> {
  const files = new Map<string, Uint8Array>();
  for (const tile of tilesOf(parts.flatMap(subtreesOf), size)) files.set(tilePath(tile), await read(tilePath(tile)));
  try {
    return proofOf(
      parts,
      readingTiles(size, (tile) => files.get(tilePath(tile))!),
    );
  } catch {
    return null;
  }
}

/**
 * A proof between two heads, and before it what it leaves out of how the larger tree begins: the proof is made for trees
 * that agree.
 */
export async function beginningWith(path: string[], heads: readonly Head[], read: ReadFile): Promise<string[]> {
  const [older, newer] = heads.map(({ size }) => size).toSorted((a, b) => a - b) as [number, number];
  if (older === newer) return path;
  const parts = beginningOf(older, newer);
  const missing = await hashesAt(parts.slice(0, Math.max(0, parts.length - path.length)), newer, read);
  return [...(missing ?? []).map(bytesToHex), ...path];
}
