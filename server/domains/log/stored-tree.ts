import { and, eq, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logTiles } from "#db/schema/log.ts";
import { MerkleTree, type Subtree } from "#shared/merkle.ts";
import { HASH_BYTES } from "#shared/log/strict.ts";
import { newTilesOf, subtreeFrom, tilesOf, WIDTH, type Tile } from "#shared/log/tiles.ts";
import { hashOf, subtreesOf, type Head, type Leaves, type ReadSubtree } from "#shared/log/tree.ts";
import { sha256 } from "./sha256.ts";

const nameOf = ({ level, index }: Pick<Tile, "level" | "index">) => `${level}/${index}`;

/** The content of tiles, by `nameOf`. A tile that has grown since is returned as it is now. */
async function readTiles(read: Tx, log: number, tiles: readonly Tile[]): Promise<Map<string, Buffer>> {
  if (tiles.length === 0) return new Map();
  const isWanted = tiles.map(({ level, index }) => and(eq(logTiles.level, level), eq(logTiles.index, index)));
  const rows = await read
    .select()
    .from(logTiles)
    .where(and(eq(logTiles.log, log), or(...isWanted)));
  return new Map(rows.map((row) => [nameOf(row), Buffer.from(row.hashes)]));
}

/** A tile as it was in a tree of at least its width; null where there is none. */
export async function readTile(read: Tx, log: number, tile: Tile): Promise<Buffer | null> {
  const content = (await readTiles(read, log, [tile])).get(nameOf(tile));
  const bytes = tile.width * HASH_BYTES;
  return content && content.length >= bytes ? content.subarray(0, bytes) : null;
}

/** The hashes over some ranges of leaves, for a tree of this size. */
export async function hashesOf(read: Tx, log: number, size: number, parts: readonly Leaves[]): Promise<Uint8Array[]> {
  const subtrees = parts.flatMap(subtreesOf);
  const reader = await readerOf(read, log, size, subtrees);
  return parts.map((leaves) => hashOf(leaves, reader, sha256));
}

/** The root of the first `size` leaves. */
export async function storedRoot(read: Tx, log: number, size: number): Promise<Uint8Array> {
  return (await hashesOf(read, log, size, [[0, size]]))[0]!;
}

async function readerOf(read: Tx, log: number, size: number, subtrees: readonly Subtree[]): Promise<ReadSubtree> {
  const content = await readTiles(read, log, tilesOf(subtrees, size));
  return (subtree) => subtreeFrom(content.get(nameOf(tilesOf([subtree], size)[0]!))!, subtree, sha256);
}

/** Adds leaves to a tree of `size` leaves: writes what its tiles gained. Returns the new head. */
export async function growTree(tx: Tx, log: number, size: number, leaves: readonly Uint8Array[]): Promise<Head> {
  const edge = subtreesOf([0, size]);
  const read = await readerOf(tx, log, size, edge);
  const tree = MerkleTree.resume(size, edge.map(read), sha256);
  const gained = new Map<string, Uint8Array[]>();
  const keep = ({ level, index }: Subtree, hash: Uint8Array) => {
    if (level % 8 !== 0) return;
    const name = nameOf({ level: level / 8, index: Math.floor(index / WIDTH) });
    gained.set(name, [...(gained.get(name) ?? []), hash]);
  };
  for (const leaf of leaves) tree.add(leaf, keep);
  const tiles = newTilesOf(size, tree.size);
  const before = await readTiles(tx, log, tiles);
  for (const tile of tiles) {
    const name = nameOf(tile);
    const hashes = Buffer.concat([before.get(name) ?? Buffer.alloc(0), ...gained.get(name)!]);
    if (hashes.length !== tile.width * HASH_BYTES) throw new Error(`tile ${name} of log ${log} is not whole`);
    await tx
      .insert(logTiles)
      .values({ log, level: tile.level, index: tile.index, hashes })
      .onConflictDoUpdate({ target: [logTiles.log, logTiles.level, logTiles.index], set: { hashes } });
  }
  return { size: tree.size, root: tree.rootHash() };
}
