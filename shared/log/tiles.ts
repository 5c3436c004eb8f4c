import { concatBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { rootOfPower, type Hash, type Subtree } from "#shared/merkle.ts";
import { HASH_BYTES, isWhole, parseWhole } from "./strict.ts";
import type { ReadSubtree } from "./tree.ts";

/**
 * The log as files that never change, as C2SP's tlog-tiles describes them. A tile holds up to 256 hashes of one level;
 * the level above has one hash for each full tile. A bundle holds the entries whose hashes are in a tile of level 0.
 */
export interface Tile {
  level: number;
  index: number;
  /** How many hashes: 256, or fewer at the right edge of the tree. */
  width: number;
}

export const WIDTH = 256;
const HEIGHT = 8;
const TOP_LEVEL = 63;
const LONGEST_ENTRY = 65_535;

/** A number in steps of three digits. All but the last begin with an x. */
function numberPath(index: number): string {
  const digits = String(index);
  const steps = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g)!;
  return steps.map((step, i) => (i < steps.length - 1 ? `x${step}` : step)).join("/");
}

function pathIn(folder: string, index: number, width: number): string {
  if (!isWhole(index) || !isWhole(width) || width < 1 || width > WIDTH)
    throw new RangeError(`no tile: ${index}, ${width} wide`);
  return `tile/${folder}/${numberPath(index)}${width === WIDTH ? "" : `.p/${width}`}`;
}

/** Where a tile is served, below the log's address. */
export const tilePath = ({ level, index, width }: Tile): string => pathIn(String(level), index, width);

/** Where the entries below a tile of level 0 are served. */
export const entriesPath = ({ index, width }: Omit<Tile, "level">): string => pathIn("entries", index, width);

/** What a path names. The level of a bundle is `entries`. Null for any other spelling. */
export function parseTilePath(path: string): { level: number | "entries"; index: number; width: number } | null {
  const [, folder = "", steps = "", part] = /^tile\/([^/]+)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? [];
  const level = folder === "entries" ? folder : parseWhole(folder);
  const index = Number(steps.replaceAll(/[x/]/g, ""));
  const width = part === undefined ? WIDTH : parseWhole(part);
  if (level === null || (level !== "entries" && level > TOP_LEVEL) || !isWhole(index)) return null;
  if (width === null || width < 1 || width > WIDTH) return null;
  return pathIn(folder, index, width) === path ? { level, index, width } : null;
}

/** How many hashes a level has in a tree of this size. */
const hashesAt = (level: number, size: number) => Math.floor(size / WIDTH ** level);

/** The tile at this place of a tree; undefined beyond its edge. */
function tileAt(level: number, index: number, size: number): Tile | undefined {
  const width = Math.min(hashesAt(level, size) - index * WIDTH, WIDTH);
  return width > 0 ? { level, index, width } : undefined;
}

/** Which hashes of which tile make up a subtree. */
function placeOf({ level, index }: Subtree) {
  const count = 2 ** (level % HEIGHT);
  const first = index * count;
  return { level: Math.floor(level / HEIGHT), index: Math.floor(first / WIDTH), first: first % WIDTH, count };
}

/** The tiles of a tree from which these subtrees can be computed, each once. */
export function tilesOf(subtrees: readonly Subtree[], size: number): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const subtree of subtrees) {
    const { level, index, first, count } = placeOf(subtree);
    const tile = tileAt(level, index, size);
    if (!tile || first + count > tile.width) throw new RangeError(`not in a tree of ${size}: ${subtree.index}`);
    tiles.set(tilePath(tile), tile);
  }
  return [...tiles.values()];
}

/** The tiles that a tree has and did not have, or not as wide, at the older size. */
export function newTilesOf(older: number, size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; hashesAt(level, size) > 0; level++) {
    if (hashesAt(level, older) === hashesAt(level, size)) continue;
    for (let index = Math.floor(hashesAt(level, older) / WIDTH); ; index++) {
      const tile = tileAt(level, index, size);
      if (!tile) break;
      tiles.push(tile);
    }
  }
  return tiles;
}

/** The hash of a subtree from the content of its tile. */
export function subtreeFrom(content: Uint8Array, subtree: Subtree, hash: Hash = sha256): Uint8Array {
  const { first, count } = placeOf(subtree);
  if ((first + count) * HASH_BYTES > content.length) throw new RangeError(`${content.length} bytes lack the subtree`);
  return rootOfPower(content.subarray(first * HASH_BYTES, (first + count) * HASH_BYTES), hash);
}

/** Reads the subtrees of a tree of this size from its tiles. */
export const readingTiles =
  (size: number, read: (tile: Tile) => Uint8Array, hash: Hash = sha256): ReadSubtree =>
  (subtree) =>
    subtreeFrom(read(tilesOf([subtree], size)[0]!), subtree, hash);

/** A bundle: each entry after its length in two bytes. */
export function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  const long = entries.find(({ length }) => length > LONGEST_ENTRY);
  if (long) throw new RangeError(`an entry of ${long.length} bytes`);
  if (entries.length < 1 || entries.length > WIDTH) throw new RangeError(`a bundle of ${entries.length} entries`);
  return concatBytes(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 255), entry]));
}

/** The entries of a bundle of this width. Null if it is cut off, or has fewer or more. */
export function parseBundle(bundle: Uint8Array, width: number): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at + 2 <= bundle.length && entries.length < width) {
    const end = at + 2 + bundle[at]! * 256 + bundle[at + 1]!;
    if (end > bundle.length) return null;
    entries.push(bundle.slice(at + 2, end));
    at = end;
  }
  return entries.length === width && at === bundle.length ? entries : null;
}
