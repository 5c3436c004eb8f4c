import { sha256 } from "@noble/hashes/sha2.js";
import { leafHash, type Subtree } from "#shared/merkle.ts";
import { HeadReading, type LogVerdict, type Reading } from "./read-head.ts";
import { HASH_BYTES, isSame, parseUtf8 } from "./strict.ts";
import { entriesPath, parseBundle, tilePath, WIDTH, type Tile } from "./tiles.ts";

/** The files of a log, at a site or in a folder, by their paths below the log's address. */
export interface LogFiles {
  /** Null if there is no such file, or it is longer than `most`. */
  read(path: string, most: number): Promise<Uint8Array | null>;
}

const LONGEST_HEAD = 131_072;
const LONGEST_KEY = 1_024;
const LONGEST_BUNDLE = WIDTH * (2 + 65_535);
const TILE_BYTES = WIDTH * HASH_BYTES;
const MOST_TRIES = 2;
/** So many files are asked for at once. */
const AT_ONCE = 8;
const TILE_LEVELS = 8;

/** A tile of hashes, or the bundle of entries below one of level 0. */
type File = Tile | { level: "entries"; index: number; width: number };

const pathOf = (file: File): string =>
  file.level === "entries" ? entriesPath(file) : tilePath({ ...file, level: file.level });

/** All files of a log of this size, in the order in which they are used: each bundle with its tile, then the tiles above. */
function* filesOf(size: number): Generator<File> {
  for (let level = 0, left = size; left > 0; level++, left = Math.floor(left / WIDTH)) {
    for (let index = 0; index * WIDTH < left; index++) {
      const width = Math.min(WIDTH, left - index * WIDTH);
      if (level === 0) yield { level: "entries", index, width };
      yield { level, index, width };
    }
  }
}

/** Asks for files ahead of their use, and hands them out in order. */
async function* inOrder(files: Generator<File>, read: (file: File) => Promise<Uint8Array | null>) {
  const asked: { file: File; content: Promise<Uint8Array | null> }[] = [];
  for (;;) {
    while (asked.length < AT_ONCE) {
      const { value: file } = files.next() as { value: File | undefined };
      if (!file) break;
      const content = read(file);
      // Whoever stops early leaves some unread.
      content.catch(() => {});
      asked.push({ file, content });
    }
    const next = asked.shift();
    if (!next) return;
    yield { file: next.file, content: await next.content };
  }
}

/** Reads a file, or, where a narrow one is gone because the log has grown, the beginning of the wide one. */
async function readFile(files: LogFiles, file: File): Promise<Uint8Array | null> {
  const most = file.level === "entries" ? LONGEST_BUNDLE : TILE_BYTES;
  const content = await files.read(pathOf(file), most);
  if (content || file.width === WIDTH) return content;
  const wide = await files.read(pathOf({ ...file, width: WIDTH }), most);
  return wide && beginningOf(wide, file);
}

function beginningOf(wide: Uint8Array, { level, width }: File): Uint8Array {
  if (level !== "entries") return wide.slice(0, width * HASH_BYTES);
  let end = 0;
  for (let i = 0; i < width && end + 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;
  return wide.slice(0, end);
}

/** The entries of a bundle; null if they are missing. */
export async function readEntries(
  files: LogFiles,
  { index, width }: { index: number; width: number },
): Promise<Uint8Array[] | null> {
  const content = await readFile(files, { level: "entries", index, width });
  return content && parseBundle(content, width);
}

/** The head and the key that signed it. Between the two questions the key may have been replaced: both are asked again. */
export async function readSigned(files: LogFiles): Promise<{ head: string; key: string }> {
  for (let tries = 1; ; tries++) {
    const head = textOf(await files.read("checkpoint", LONGEST_HEAD));
    const key = textOf(await files.read("key", LONGEST_KEY));
    if (tries === MOST_TRIES || new HeadReading(head, key, {}).isSigned) return { head, key };
  }
}

/** Reads a whole log, head, key and tiles, and checks everything that can be: each tile, the root, and all leaves. */
export async function readLog(files: LogFiles, reading: Reading = {}): Promise<LogVerdict> {
  const { readRestores, ...checking } = reading;
  const { hash = sha256, completed } = checking;
  const { head, key } = await readSigned(files);
  /** The hashes of level 8, 16 and so on, which are those of the tiles above. */
  const above: Uint8Array[][] = [];
  const keep = (subtree: Subtree, node: Uint8Array) => {
    completed?.(subtree, node);
    const level = subtree.level / TILE_LEVELS;
    if (subtree.level > 0 && Number.isInteger(level)) (above[level] ??= []).push(node);
  };
  const log = new HeadReading(head, key, { ...checking, completed: keep });
  if (!log.isSigned) return log.end();
  let hashes: Uint8Array[] = [];
  for await (const { file, content } of inOrder(filesOf(log.head!.size), (file) => readFile(files, file))) {
    const path = pathOf(file);
    if (file.level === "entries") {
      const entries = content && parseBundle(content, file.width);
      if (!entries) {
        log.problem("missing", { path });
        break;
      }
      hashes = entries.map((entry) => leafHash(entry, hash));
      for (const entry of entries) log.add(entry);
      continue;
    }
    const wanted =
      file.level === 0 ? hashes : above[file.level]!.slice(file.index * WIDTH, file.index * WIDTH + file.width);
    if (!content || content.length !== file.width * HASH_BYTES) log.problem("missing", { path });
    else if (!wanted.every((one, i) => isSame(one, content.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES))))
      log.problem("tile", { path });
  }
  return log.end(log.isRestored && readRestores ? await readRestores() : null);
}

const textOf = (content: Uint8Array | null): string => (content && parseUtf8(content)) ?? "";
