import { createReadStream } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, extname, join, resolve, sep } from "node:path";

/*
 * A file survives a power cut once it is synced. Its name survives once the folder that holds it is synced. POSIX
 * promises no more, and the name of a folder is no exception.
 */

/** Some systems cannot open or sync a folder. They make its names durable by themselves. */
const NOT_FOR_FOLDERS = new Set(["EACCES", "EBADF", "EINVAL", "EISDIR", "EPERM", "EROFS"]);
/** The file system has no hard links. */
const NO_LINKS = new Set(["ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM"]);

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

/** Resolves once the file's bytes are on the disk. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

/** Resolves once every name added to the folder, or removed from it, is on the disk. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path);
    await folder.sync();
  } catch (error) {
    if (!NOT_FOR_FOLDERS.has(codeOf(error))) throw error;
  }
}

/** Resolves once everything in the folder is on the disk. The folder's own name belongs to its parent. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    await (entry.isDirectory() ? syncTree(inside) : syncFile(inside));
  }
  await syncFolder(path);
}

/** Gives a draft its final name, replacing any file of that name. */
type Naming = (draft: string, path: string) => Promise<void>;

/** Replaces nothing: rejects with EEXIST if the name is taken. */
export const takeFreeName: Naming = async (draft, path) => {
  try {
    await link(draft, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    // A file that takes the name between these two lines is overwritten.
    if (await lstat(path).catch(() => null)) throw Object.assign(new Error(`${path} exists`), { code: "EEXIST" });
    return rename(draft, path);
  }
  await unlink(draft);
};

/** Bytes, a text, or a local file of any size to copy. */
type Content = Uint8Array | string | { file: string };

/**
 * Writes a file, readable by its owner alone, into an existing folder. The file appears whole or not at all, and
 * survives a power cut once this resolves.
 */
export async function writeDurably(path: string, content: Content, giveName: Naming = rename): Promise<void> {
  // A name that the storage can list and remove if a crash leaves it there.
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

/** Makes folders durably, and caches which names are durable: most files go where others went before. */
export class DurableFolders {
  readonly #named = new Map<string, Promise<void>>();

  /** Makes a folder, for its owner alone, and its parents. They all survive a power cut once this resolves. */
  async make(path: string): Promise<void> {
    const whole = resolve(path);
    const first = await mkdir(whole, { recursive: true, mode: 0o700 });
    if (first !== undefined) this.forget(first);
    await this.#name(whole);
  }

  /** Call this for a folder that was removed: if it comes back, its name is not durable yet. */
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
 * Syncs a folder's name and its parents' names, up to the root of the file system. An existing folder needs it too: the
 * process that made it may have been killed before its sync.
 */
async function syncName(path: string, above: (parent: string) => Promise<void>): Promise<void> {
  const parent = dirname(path);
  if (parent === path) return;
  const [own, outer] = await Promise.all([stat(path), stat(parent)]);
  if (own.dev !== outer.dev) return;
  await above(parent);
  await syncFolder(parent);
}

/** Makes one folder durably, with its missing parents. */
export const makeFolder = (path: string): Promise<void> => new DurableFolders().make(path);
