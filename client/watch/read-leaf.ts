import { bytesToHex } from "@noble/hashes/utils.js";
import type { Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { entriesPath, parseBundle, readingTiles, tilePath, tilesOf, WIDTH } from "#shared/log/tiles.ts";
import { beginningOf, inclusionOf, isIncluded, proofOf, subtreesOf, type Leaves } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import type { ReadHead } from "./check-head.ts";

/** A file of a log, by its path and the log's origin; `isAnew`: not as it came before. Throws if it did not come. */
export type ReadFile = (path: string, origin: string, isAnew?: boolean) => Promise<Uint8Array>;

/**
 * Where a file is asked for. Browsers keep it for ever, and after a restore another log has files of the same paths: so its
 * address names the log.
 */
export const addressOf = (path: string, origin: string): string =>
  `/log/${path}?log=${encodeURIComponent(origin.slice(origin.lastIndexOf("/") + 1))}`;

/** A leaf and the hashes that prove it. */
export interface ProvenLeaf {
  leaf: Leaf;
  text: string;
  path: Uint8Array[];
}

/** A leaf in a head, as a file of evidence has it. */
export interface Place {
  head: string;
  leaf: string;
  number: number;
  path: string[];
}
export const placeOf = ({ text: head }: ReadHead, number: number, { text: leaf, path }: ProvenLeaf): Place => ({
  head,
  leaf,
  number,
  path: path.map(bytesToHex),
});

export const leafAt = async (...of: Parameters<typeof provenLeaf>): Promise<Leaf | null> =>
  (await provenLeaf(...of))?.leaf ?? null;

/**
 * A leaf of a log, proved to stand in this head by the log's own files. Null if they do not prove one. What a browser keeps
 * for ever may be false for ever, so files that prove nothing are asked for anew.
 */
export async function provenLeaf(number: number, head: ReadHead, read: ReadFile): Promise<ProvenLeaf | null> {
  return (await provenBy(number, head, read)) ?? provenBy(number, head, (path, origin) => read(path, origin, true));
}

async function provenBy(number: number, { checkpoint }: ReadHead, read: ReadFile): Promise<ProvenLeaf | null> {
  const { size, origin } = checkpoint;
  if (number >= size) return null;
  const index = Math.floor(number / WIDTH);
  const width = Math.min(size - index * WIDTH, WIDTH);
  const entry = parseBundle(await read(entriesPath({ index, width }), origin), width)?.[number - index * WIDTH];
  const text = entry && parseUtf8(entry);
  if (!text) return null;
  const path = await hashesAt(inclusionOf(number, size), checkpoint, read);
  const isThere = path !== null && isIncluded(merkleLeaf(text), number, checkpoint, path);
  const leaf = isThere ? parseLeaf(text) : null;
  return leaf && { leaf, text, path: path! };
}

/** The hashes over some leaves of a log, from its own files. Null if they hold none. */
async function hashesAt(
  parts: readonly Leaves[],
  { size, origin }: Checkpoint,
  read: ReadFile,
): Promise<Uint8Array[] | null> {
  const files = new Map<string, Uint8Array>();
  for (const path of tilesOf(parts.flatMap(subtreesOf), size).map(tilePath)) files.set(path, await read(path, origin));
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
export async function beginningWith(path: string[], heads: readonly Checkpoint[], read: ReadFile): Promise<string[]> {
  const [older, newer] = heads.toSorted((one, other) => one.size - other.size) as [Checkpoint, Checkpoint];
  if (older.size === newer.size) return path;
  const parts = beginningOf(older.size, newer.size);
  const missing = await hashesAt(parts.slice(0, Math.max(0, parts.length - path.length)), newer, read);
  return [...(missing ?? []).map(bytesToHex), ...path];
}
