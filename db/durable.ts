import { createReadStream } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, extname, join, resolve, sep } from "node:path";

/*
 * A file survives a power cut once it was synced, and its name once the folder was synced that holds the name. POSIX
 * promises no more than that, and a folder's own name is no exception.
 */

/** Some systems cannot open or sync a folder, and keep its names by themselves. */
const NOT_FOR_FOLDERS = new Set(["EACCES", "EBADF", "EINVAL", "EISDIR", "EPERM", "EROFS"]);
/** The file system has no hard links. */
const NO_LINKS = new Set(["ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM"]);

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

/** Resolves once the disk has the file's bytes. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

/** Resolves once the disk has the names in the folder, and knows which are gone. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path);
    await folder.sync();
  } catch (error) {
    if (!NOT_FOR_FOLDERS.has(codeOf(error))) throw error;
  }
}

/** Resolves once the disk has everything in the folder. Its own name is its parent's. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    await (entry.isDirectory() ? syncTree(inside) : syncFile(inside));
  }
  await syncFolder(path);
}

/** Gives a draft its final name, in place of what had it. */
export type Naming = (draft: string, path: string) => Promise<void>;

/** The name is taken only where it is free: rejects with EEXIST otherwise. */
export const takeFreeName: Naming = async (draft, path) => {
  try {
    await link(draft, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    // Somebody who takes the name between these two lines loses what they wrote there.
    if (await lstat(path).catch(() => null)) throw Object.assign(new Error(`${path} exists`), { code: "EEXIST" });
    return rename(draft, path);
  }
  await unlink(draft);
};

/** Bytes, a text, or a copy of a file here, however large it is. */
type Content = Uint8Array | string | { file: string };

/**
 * Writes a file, readable by its owner alone, into a folder that is there. It is there whole or not at all, and once this
 * resolves a power cut does not take it away.
 */
export async function writeDurably(path: string, content: Content, giveName: Naming = rename): Promise<void> {
  // A name that the storage can list and remove, should a crash leave it there.
  const draft = `${path.slice(0, -extname(path).length || undefined)}-${randomBytes(6).toString("hex")}.draft`;
  try {
    await writeNew(draft, content);
    await giveName(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeNew(path: string, content: Content): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(typeof content === "object" && "file" in content ? createReadStream(content.file) : content);
  await file.sync();
}

/** Makes folders, and remembers whose names are durable: most files go where others went before. */
export class DurableFolders {
  readonly #named = new Map<string, Promise<void>>();

  /** Makes a folder, for its owner alone, and those above it. A power cut does not take away any of them after this. */
  async make(path: string): Promise<void> {
    const whole = resolve(path);
    const first = await mkdir(whole, { recursive: true, mode: 0o700 });
    if (first !== undefined) this.forget(first);
    await this.#name(whole);
  }

  /** A folder that was removed: should it come back, it is a new one. */
  forget(path: string): void {
    const whole = resolve(path);
    for (const known of this.#named.keys())
      if (known === whole || known.startsWith(whole + sep)) this.#named.delete(known);
  }

  #name(path: string): Promise<void> {
    const known = this.#named.get(path);
    if (known) return known;
    const named = syncName(path, (parent) => this.#name(parent));
    this.#named.set(path, named);
    named.catch(() => this.#named.delete(path));
    return named;
  }
}

/**
 * Syncs a folder's name, and those above it, as far up as its file system goes: also one that was there already may have
 * been made a moment ago, by somebody who was killed before they synced it.
 */
async function syncName(path: string, above: (parent: string) => Promise<void>): Promise<void> {
  const parent = dirname(path);
  if (parent === path) return;
  const [own, outer] = await Promise.all([stat(path), stat(parent)]);
  if (own.dev !== outer.dev) return;
  await above(parent);
  await syncFolder(parent);
}

/** Makes one folder durably, with those above it that are missing. */
export const makeFolder = (path: string): Promise<void> => new DurableFolders().make(path);
