import { describe, expect, it } from "vitest";
import { bundleOf, entriesPath, newTilesOf, parseBundle, parseTilePath, readingTiles } from "#shared/log/tiles.ts";
import { subtreeFrom, tilePath, tilesOf, WIDTH, type Tile } from "#shared/log/tiles.ts";
import { consistencyOf, inclusionOf, isExtension, isIncluded, proofOf, rootOf, subtreesOf } from "#shared/log/tree.ts";
import { leafHash } from "#shared/merkle.ts";
import { bytes, entryOf, grownTree, hexOf, serverHash } from "./world.ts";

/** The paths and widths that C2SP's tlog-tiles prints. */
describe("the path of a tile", () => {
  it("is the one that the specification prints", () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: WIDTH })).toBe("tile/0/x001/x234/067");
    expect(tilePath({ level: 1, index: 0, width: 17 })).toBe("tile/1/000.p/17");
    expect(entriesPath({ index: 273, width: 112 })).toBe("tile/entries/273.p/112");
    expect(entriesPath({ index: 1_000, width: WIDTH })).toBe("tile/entries/x001/000");
  });

  it("is read back", () => {
    for (const index of [0, 7, 999, 1_000, 999_999, 1_000_000, 2 ** 40, Number.MAX_SAFE_INTEGER])
      for (const width of [1, 9, 255, WIDTH]) {
        for (const level of [0, 5, 63])
          expect(parseTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
        expect(parseTilePath(entriesPath({ index, width }))).toEqual({ level: "entries", index, width });
      }
  });

  it.each([
    "",
    "tile",
    "tile/0",
    "tile/0/",
    "/tile/0/000",
    "tile/0/000/",
    "tile//000",
    "tile/00/000",
    "tile/01/000",
    "tile/64/000",
    "tile/-1/000",
    "tile/a/000",
    "tile/Entries/000",
    "tile/data/000",
    "tile/0/0",
    "tile/0/00",
    "tile/0/0000",
    "tile/0/x000/000",
    "tile/0/x001/x067",
    "tile/0/001/067",
    "tile/0/X001/067",
    "tile/0/001.p",
    "tile/0/001.p/",
    "tile/0/001.p/0",
    "tile/0/001.p/256",
    "tile/0/001.p/257",
    "tile/0/001.p/01",
    "tile/0/001.p/1/",
    "tile/0/001.p/1.0",
    "tile/0/001p/1",
    "tile/0/001\n",
    "tile/0/\u0661\u0661\u0661",
    "tile/0/x010/x000/x000/x000/x000/000",
    "tile/0/x001/x000/x000/x000/x000/x000/000",
    "tile/0/../0/001",
    "tile/0/001?",
  ])("%j is none", (path) => {
    expect(parseTilePath(path)).toBe(null);
  });

  it("is not made for an impossible tile", () => {
    for (const width of [0, 257, 1.5]) expect(() => tilePath({ level: 0, index: 0, width })).toThrow(RangeError);
    expect(() => tilePath({ level: 0, index: -1, width: 1 })).toThrow(RangeError);
  });
});

describe("the tiles of a tree", () => {
  it("are those that the specification counts", () => {
    const all = newTilesOf(0, 70_000);
    const of = (level: number) => all.filter((tile) => tile.level === level);
    expect([of(0).length, of(1).length, of(2).length, of(3).length]).toEqual([274, 2, 1, 0]);
    expect(all.filter(({ width }) => width < WIDTH).map(tilePath)).toEqual([
      "tile/0/273.p/112",
      "tile/1/001.p/17",
      "tile/2/000.p/1",
    ]);
    expect(newTilesOf(0, 256).map(tilePath)).toEqual(["tile/0/000", "tile/1/000.p/1"]);
    expect(newTilesOf(0, 0)).toEqual([]);
  });

  it("that an append writes are those that changed", () => {
    expect(newTilesOf(255, 256).map(tilePath)).toEqual(["tile/0/000", "tile/1/000.p/1"]);
    expect(newTilesOf(256, 257).map(tilePath)).toEqual(["tile/0/001.p/1"]);
    expect(newTilesOf(256, 256)).toEqual([]);
    expect(newTilesOf(600, 1_030).map(tilePath)).toEqual([
      "tile/0/002",
      "tile/0/003",
      "tile/0/004.p/6",
      "tile/1/000.p/4",
    ]);
    expect(newTilesOf(65_535, 65_536).map(tilePath)).toEqual(["tile/0/255", "tile/1/000", "tile/2/000.p/1"]);
  });

  it("are asked for once each, and never beyond the edge", () => {
    const parts = [...inclusionOf(69_999, 70_000), ...consistencyOf(300, 70_000)].flatMap(subtreesOf);
    const paths = tilesOf(parts, 70_000).map(tilePath);
    expect(new Set(paths).size).toBe(paths.length);
    const there = new Set(newTilesOf(0, 70_000).map(tilePath));
    expect(paths.filter((path) => !there.has(path))).toEqual([]);
    expect(() => tilesOf([{ level: 0, index: 70_000 }], 70_000)).toThrow(RangeError);
    expect(() => tilesOf([{ level: 8, index: 273 }], 70_000)).toThrow(RangeError);
    expect(() => tilesOf([{ level: 3, index: 8_750 }], 70_001)).toThrow(RangeError);
  });
});

describe("proofs from tiles", () => {
  const SIZES = [1, 2, 255, 256, 257, 511, 513, 700];
  const { heads, read } = grownTree(700);
  /** Tiles as they were written at each size, and what was read of them. */
  const files = new Map<string, Uint8Array>();
  const contentOf = ({ level, index, width }: Tile) =>
    new Uint8Array(
      Buffer.concat(Array.from({ length: width }, (_, i) => read({ level: 8 * level, index: index * WIDTH + i }))),
    );
  for (const size of SIZES) for (const tile of newTilesOf(0, size)) files.set(tilePath(tile), contentOf(tile));
  const from = (size: number) => readingTiles(size, (tile) => files.get(tilePath(tile))!, serverHash);

  it("are those from the stored subtrees", () => {
    for (const size of SIZES) {
      expect(hexOf(rootOf(size, from(size)))).toBe(hexOf(heads[size]!.root));
      for (let index = 0; index < size; index += 13) {
        const path = proofOf(inclusionOf(index, size), from(size));
        expect(isIncluded(leafHash(entryOf(index)), index, heads[size]!, path)).toBe(true);
      }
      for (let older = 1; older <= size; older += 29)
        expect(isExtension(heads[older]!, heads[size]!, proofOf(consistencyOf(older, size), from(size)))).toBe(true);
    }
  });

  it("are not made from a tile that was cut off", () => {
    expect(() => subtreeFrom(files.get("tile/0/000")!.slice(0, 100), { level: 2, index: 0 })).toThrow(RangeError);
  });
});

describe("a bundle of entries", () => {
  const entries = [bytes("one"), new Uint8Array(), bytes("three")];
  const bundle = bundleOf(entries);

  it("holds each entry after its length", () => {
    expect(hexOf(bundle)).toBe(`0003${hexOf(bytes("one"))}00000005${hexOf(bytes("three"))}`);
    expect(parseBundle(bundle, 3)).toEqual(entries);
    const long = [new Uint8Array(65_535).fill(7), new Uint8Array(256)];
    expect(parseBundle(bundleOf(long), 2)).toEqual(long);
  });

  it("is refused when it is cut off, longer, or of another width", () => {
    for (let length = 0; length < bundle.length; length++) expect(parseBundle(bundle.slice(0, length), 3)).toBe(null);
    expect(parseBundle(new Uint8Array([...bundle, 0]), 3)).toBe(null);
    expect(parseBundle(new Uint8Array([...bundle, 0, 0]), 3)).toBe(null);
    expect(parseBundle(bundle, 2)).toBe(null);
    expect(parseBundle(bundle, 4)).toBe(null);
  });

  it("holds no entry of 64 KiB, at least one entry and at most 256", () => {
    expect(() => bundleOf([new Uint8Array(65_536)])).toThrow(RangeError);
    expect(() => bundleOf([])).toThrow(RangeError);
    expect(() => bundleOf(Array.from({ length: 257 }, () => bytes("x")))).toThrow(RangeError);
    expect(bundleOf(Array.from({ length: 256 }, () => bytes("x")))).toHaveLength(768);
  });
});
