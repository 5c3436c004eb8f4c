import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, extname, join } from "node:path";
import { isFileName, isStorageName, type Part, type Storage, type StoredFile } from "./storage.ts";

/** Of a file, read at a time. */
const PIECE = 131_072;

/** Keeps files below one folder. */
export function folderStorage(root: string): Storage {
  const pathOf = (name: string, isName = isStorageName) => {
    if (!isName(name)) throw new Error(`${name} is no name of a stored file`);
    return join(root, name);
  };
  return {
    put: (name, content) => writeWhole(pathOf(name, isFileName), content),
    find: async (name) => (isStorageName(name) ? findFile(join(root, name)) : null),
    list: (folder) => listFiles(pathOf(folder), folder),
    remove: (name) => rm(pathOf(name), { recursive: name.endsWith("/"), force: true }),
  };
}

async function writeWhole(path: string, content: Uint8Array | { file: string }): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A name that can be listed and removed, should a crash leave it there.
  const draft = `${path.slice(0, -extname(path).length || undefined)}-${randomBytes(6).toString("hex")}.draft`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile("file" in content ? createReadStream(content.file) : content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function findFile(path: string): Promise<StoredFile | null> {
  const found = await stat(path).catch(() => null);
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
