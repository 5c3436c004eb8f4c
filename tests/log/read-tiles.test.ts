import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { Reading } from "#shared/log/read-head.ts";
import { readEntries, readLog, type LogFiles } from "#shared/log/read-tiles.ts";
import { bundleOf, entriesPath, tilePath, WIDTH } from "#shared/log/tiles.ts";
import { leafHash } from "#shared/merkle.ts";
import { MemoryLog } from "../support/log-site.ts";
import { bytes, hexOf, serverHash, signerOf } from "./world.ts";

const SIZE = 300;
/** A head with four full tiles and a narrow one has eleven files. */
const MANY = 1_100;
const EDGE = { index: 1, width: SIZE - WIDTH };
const NARROW = [entriesPath(EDGE), tilePath({ level: 0, ...EDGE })] as const;
const [WIDE_BUNDLE, WIDE_TILE] = ["tile/entries/001", "tile/0/001"];

const signer = signerOf("trio.example/log");
/** The last one is empty; some are longer than one byte can tell. */
const entryOf = (i: number) => bytes(`${i % 10}`.repeat((Math.abs(SIZE - 1 - i) * 7) % 600));
const entriesFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => entryOf(from + i));

let log: MemoryLog;
let asked: [path: string, most: number][];
let atOnce: number;
let read: LogFiles["read"];

beforeEach(() => {
  const files = (log = new MemoryLog(signer).add(...entriesFrom(0, SIZE)));
  // A reading that ended early still asks, for its own files.
  const own: typeof asked = (asked = []);
  let now = (atOnce = 0);
  read = async (path, most) => {
    own.push([path, most]);
    atOnce = Math.max(atOnce, ++now);
    await setImmediate();
    now--;
    return files.file(path);
  };
});

/** What is wrong with the files. The entries are no leaves, which is not of interest here. */
async function faults(reading?: Reading, readFile = read) {
  const { findings, whole } = await readLog({ read: readFile }, reading);
  const ofFiles = findings.filter(({ id }) => ["missing", "tile", "root", "unsigned"].includes(id));
  return [whole !== null, ...ofFiles.map(({ id, facts }) => [id, ...Object.values(facts)])];
}
const GENUINE = [true];

/** The log grows, and only then its files are read for the head of before. */
function growBehindHead(): void {
  log.changed.set("checkpoint", bytes(log.note()));
  log.add(...entriesFrom(SIZE, 2 * WIDTH));
  for (const path of NARROW) log.changed.set(path, null);
}

describe("a log's files", () => {
  it("are asked for once each, with the most bytes that each may have", async () => {
    expect(await faults()).toEqual(GENUINE);
    expect(asked).toEqual([
      ["checkpoint", 131_072],
      ["key", 1_024],
      ["tile/entries/000", 16_777_472],
      ["tile/0/000", 8_192],
      [NARROW[0], 16_777_472],
      [NARROW[1], 8_192],
      ["tile/1/000.p/1", 8_192],
    ]);
  });

  it("are no empty ones where each is full", async () => {
    log.add(...entriesFrom(SIZE, 2 * WIDTH));
    expect(await faults()).toEqual(GENUINE);
    expect(asked.map(([path]) => path).slice(2)).toEqual([
      "tile/entries/000",
      "tile/0/000",
      WIDE_BUNDLE,
      WIDE_TILE,
      "tile/1/000.p/2",
    ]);
  });

  it("are asked for eight at once, ahead of their use", async () => {
    log.add(...entriesFrom(SIZE, MANY));
    expect(await faults()).toEqual(GENUINE);
    expect([asked.length, atOnce]).toEqual([2 + 11, 8]);
  });

  it("are all checked in a log with two tiles of level 1, by the hash that is handed in", async () => {
    log.add(...Array.from({ length: WIDTH * WIDTH }, (_, i) => bytes(`${i % 10}`)));
    expect(await faults({ hash: serverHash })).toEqual(GENUINE);
    let hashed = 0;
    const hash = (content: Uint8Array) => (hashed++, serverHash(content));
    const levels = new Map<number, number>();
    const completed = ({ level }: { level: number }) => levels.set(level, (levels.get(level) ?? 0) + 1);
    const spoilt = ["tile/1/001.p/1", "tile/2/000.p/1"];
    for (const path of spoilt) log.changed.set(path, log.file(path)!.fill(0x55));
    expect(await faults({ hash, completed })).toEqual([true, ...spoilt.map((path) => ["tile", path])]);
    const size = log.entries.length;
    expect([hashed > 2 * size, levels.get(0), levels.get(8), levels.get(16)]).toEqual([true, size, 257, 1]);
  });

  it.each(["tile/0/000", NARROW[1], "tile/1/000.p/1"])("with one byte changed in %s are named", async (path) => {
    const content = log.file(path)!;
    for (const at of [0, content.length - 1]) {
      log.changed.set(path, content.with(at, content[at]! ^ 1));
      expect(await faults()).toEqual([true, ["tile", path]]);
      log.changed.clear();
    }
  });

  it("that are missing, too short or too long are named, and bundles end the reading", async () => {
    for (const path of ["tile/0/000", NARROW[1], "tile/1/000.p/1"])
      for (const content of [null, log.file(path)!.subarray(1), Buffer.concat([log.file(path)!, bytes("!")])]) {
        log.changed.set(path, content);
        log.changed.set(WIDE_TILE, content);
        expect(await faults()).toEqual([true, ["missing", path]]);
        log.changed.clear();
      }
    const last = log.file(NARROW[0])!;
    for (const content of [null, last.subarray(0, -1), Buffer.concat([last, bytes("!")])]) {
      log.changed.set(NARROW[0], content);
      log.changed.set(WIDE_BUNDLE, null);
      expect(await faults()).toEqual([false, ["missing", NARROW[0]]]);
    }
  });

  it("that nobody waits for any more may fail", async () => {
    log.changed.set("tile/entries/000", null);
    const rest = read;
    const failing: typeof read = (path, most) =>
      path === NARROW[1] ? Promise.reject(new Error("the line is cut")) : rest(path, most);
    expect(await faults({}, failing)).toEqual([false, ["missing", "tile/entries/000"]]);
  });
});

describe("a log that grew behind the head that is read", () => {
  beforeEach(growBehindHead);

  it("is read from the beginnings of its wide files", async () => {
    expect(await faults()).toEqual(GENUINE);
    expect(asked.map(([path]) => path)).toEqual(expect.arrayContaining([...NARROW, WIDE_BUNDLE, WIDE_TILE]));
    expect(asked).toHaveLength(2 + 5 + 2);
    expect(asked).toContainEqual([WIDE_BUNDLE, 16_777_472]);
  });

  it("has no fault where a wide bundle has just the entries of the head, the last one empty", async () => {
    log.changed.set(WIDE_BUNDLE, bundleOf(log.entries.slice(WIDTH, SIZE)));
    expect(await faults()).toEqual(GENUINE);
  });

  it("has a fault where a wide file is cut", async () => {
    log.changed.set(WIDE_BUNDLE, log.file(WIDE_BUNDLE)!.subarray(0, 40));
    expect(await faults()).toEqual([false, ["missing", NARROW[0]]]);
    log.changed.delete(WIDE_BUNDLE);
    log.changed.set(WIDE_TILE, log.file(WIDE_TILE)!.subarray(0, 40));
    expect(await faults()).toEqual([true, ["missing", NARROW[1]]]);
  });
});

describe("a bundle", () => {
  it("gives its entries, also from a wide file, and null where it is missing", async () => {
    const hashesOf = async () => (await readEntries({ read }, EDGE))?.map((entry) => hexOf(leafHash(entry)));
    const hashes = entriesFrom(WIDTH, SIZE).map((entry) => hexOf(leafHash(entry)));
    expect(await hashesOf()).toEqual(hashes);
    growBehindHead();
    expect(await hashesOf()).toEqual(hashes);
    log.changed.set(WIDE_BUNDLE, null);
    expect(await readEntries({ read }, EDGE)).toBeNull();
  });

  it("that is wide and missing is asked for once", async () => {
    expect(await readEntries({ read }, { index: 7, width: WIDTH })).toBeNull();
    expect(asked).toHaveLength(1);
  });
});

describe("a key that is replaced between the two questions", () => {
  const other = signerOf(signer.key.name, undefined, "next");

  it("is asked for again, with its head", async () => {
    const next = new MemoryLog(other).add(...log.entries);
    log.changed.set("key", next.file("key"));
    const replaced: typeof read = (path, most) => {
      if (asked.length === 2) log.changed.set("checkpoint", next.file("checkpoint"));
      return read(path, most);
    };
    expect(await faults({}, replaced)).toEqual(GENUINE);
    expect(asked.slice(0, 4).map(([path]) => path)).toEqual(["checkpoint", "key", "checkpoint", "key"]);
  });

  it("is asked for twice at most, and nothing is read of a log that is not signed", async () => {
    log.changed.set("key", new MemoryLog(other).file("key"));
    expect(await faults()).toEqual([false, ["unsigned"]]);
    expect(asked.map(([path]) => path)).toEqual(["checkpoint", "key", "checkpoint", "key"]);
  });

  it("that is missing or no text leaves nothing to read", async () => {
    for (const content of [null, new Uint8Array([0xff])]) {
      log.changed.set("key", content);
      const { head, key, whole } = await readLog({ read });
      expect([head?.size, key, whole]).toEqual([SIZE, null, null]);
    }
  });
});
