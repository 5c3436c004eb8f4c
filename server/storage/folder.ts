import { createReadStream } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DurableFolders, writeDurably } from "#db/durable.ts";
import { isFileName, isStorageName, StorageAway, type Part, type Storage, type StoredFile } from "./storage.ts";

/** Bytes read at a time. */
const PIECE = 131_072;

/** Stores files below one folder. */
export function folderStorage(root: string): Storage {
  const pathOf = (name: string, isName = isStorageName) => {
    if (!isName(name)) throw new Error(`${name} is not the name of a stored file`);
    return join(root, name);
  };
  const folders = new DurableFolders();
  return {
    async put(name, content) {
      const path = pathOf(name, isFileName);
      await onDisk(folders.make(dirname(path)));
      await onDisk(writeDurably(path, content));
    },
    find: async (name) => (isStorageName(name) ? onDisk(findFile(join(root, name))) : null),
    list: (folder) => onDisk(listFiles(pathOf(folder), folder)),
    async remove(name) {
      const path = pathOf(name);
      folders.forget(path);
      await onDisk(rm(path, { recursive: name.endsWith("/"), force: true }));
    },
  };
}

/** What the operating system refuses. */
const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined ? error : new StorageAway(error.message, { cause: error });
  });

/** How the operating system says that there is no such file. */
const MISSING = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

async function findFile(path: string): Promise<StoredFile | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (MISSING.has(error.code ?? "")) return null;
    throw error;
  });
  if (!found?.isFile()) return null;
  const { size, mtimeMs: writtenAt } = found;
  return {
    size,
    writtenAt,
    read: (part) => createReadStream(path, part),
    pieces: (part = { start: 0, end: size - 1 }) => readPieces(path, part),
  };
}

/**
 * Reads a file through one buffer. A read stream takes a new one for each piece, and the collector, which counts them,
 * then walks the whole heap several times a second.
 */
async function* readPieces(path: string, { start, end }: Part): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, end + 1 - start));
  for (let at = start; at <= end;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end + 1 - at), at);
    if (bytesRead === 0) throw new Error(`${path} ends at ${at} and not at ${end + 1}`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function listFiles(path: string, folder: string): Promise<string[]> {
  const found = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return found.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
}
