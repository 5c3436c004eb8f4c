import { hash } from "node:crypto";
import type { LogFiles } from "#shared/log/read-tiles.ts";
import { readingTiles, tilePath, tilesOf, WIDTH } from "#shared/log/tiles.ts";
import { subtreesOf, type Leaves, type ReadSubtree } from "#shared/log/tree.ts";
import type { Hash } from "#shared/merkle.ts";

const HASH_BYTES = 32;

export const serverHash: Hash = (bytes) => hash("sha256", bytes, "buffer");

/** Fetches the tiles from which these parts of a tree can be computed. */
export async function readSubtrees(files: LogFiles, parts: readonly Leaves[], size: number): Promise<ReadSubtree> {
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesOf(parts.flatMap(subtreesOf), size)) {
    const path = tilePath(tile);
    const bytes = tile.width * HASH_BYTES;
    const content =
      (await files.read(path, bytes)) ?? (await files.read(tilePath({ ...tile, width: WIDTH }), WIDTH * HASH_BYTES));
    if (!content || content.length < bytes) throw new Error(`${path} is missing`);
    tiles.set(path, content.subarray(0, bytes));
  }
  return readingTiles(size, (tile) => tiles.get(tilePath(tile))!, serverHash);
}
