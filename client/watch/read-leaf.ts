import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { entriesPath, parseBundle, readingTiles, tilePath, tilesOf, WIDTH } from "#shared/log/tiles.ts";
import { inclusionOf, isIncluded, proofOf, subtreesOf } from "#shared/log/tree.ts";
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
  const parts = inclusionOf(number, size);
  const files = new Map<string, Uint8Array>();
  for (const tile of tilesOf(parts.flatMap(subtreesOf), size)) files.set(tilePath(tile), await read(tilePath(tile)));
  try {
    const path = proofOf(
      parts,
      readingTiles(size, (tile) => files.get(tilePath(tile))!),
    );
    const leaf = isIncluded(merkleLeaf(text), number, checkpoint, path) ? parseLeaf(text) : null;
    return leaf && { leaf, text, path };
  } catch {
    return null;
  }
}
