import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, extname, join } from "node:path";
import { isStorageName, type Storage, type StoredFile } from "./storage.ts";

/** Keeps files below one folder. */
export function folderStorage(root: string): Storage {
  const pathOf = (name: string) => {
    if (!isStorageName(name)) throw new Error(`${name} is no name of a stored file`);
    return join(root, name);
  };
  return {
    put: (name, content) => writeWhole(pathOf(name), content),
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
  return { size: found.size, writtenAt: found.mtimeMs, read: (part) => createReadStream(path, part) };
}

async function listFiles(path: string, folder: string): Promise<string[]> {
  const found = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return found.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
}
