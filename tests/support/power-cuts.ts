import { lstatSync, readdirSync, readFileSync, type Dirent } from "node:fs";
import { join, relative } from "node:path";
import { watchDisk, type DiskWatcher } from "./watched-disk.ts";

/** What the names in a folder promise. */
export interface Rules {
  /** May be incomplete: no program reads a file of this name. */
  isDraft(name: string): boolean;
  /** Whether the bytes are a complete file of this name. */
  isWhole(name: string, bytes: Buffer): boolean;
}

interface Entry {
  id: number;
  isFolder: boolean;
}
/** What the disk has for certain: a file's bytes, or a folder's names. */
type Synced = Buffer | Map<string, Entry>;

const MOST_FAULTS = 10;

/**
 * Cuts the power after each operation in a folder, and checks the worst state that POSIX allows then: a name only if
 * its folder was synced since, and bytes only if their file was; or every name, but still no other bytes. What was
 * acknowledged must be there whole, and nothing incomplete may have a final name.
 */
export class PowerCuts implements DiskWatcher, Disposable {
  /** How many states of the disk were checked. */
  images = 0;
  readonly faults: string[] = [];
  readonly #root: string;
  readonly #rules: Rules;
  readonly #acknowledged = new Map<string, Buffer>();
  /** The system reuses a freed inode's number; these ids are never reused. */
  readonly #ids = new Map<number, number>();
  readonly #synced = new Map<number, Synced>();
  #lastId = 0;
  #isLooking = false;
  #watching: Disposable | null = null;

  private constructor(root: string, rules: Rules) {
    this.#root = root;
    this.#rules = rules;
    this.#syncAll(root);
  }

  /** What is in the folder now is on the disk already. */
  static async in(root: string, rules: Rules): Promise<PowerCuts> {
    const cuts = new PowerCuts(root, rules);
    cuts.#watching = await watchDisk(root, cuts);
    return cuts;
  }

  /** From now on this file must survive a power cut. */
  acknowledge(name: string, bytes: Uint8Array): void {
    this.#acknowledged.set(name, Buffer.from(bytes));
    this.happened();
  }

  /** This file was removed, so it may be gone. */
  release(name: string): void {
    this.#acknowledged.delete(name);
  }

  made(path: string): void {
    const ino = inodeOf(path);
    if (ino !== undefined) this.#ids.set(ino, ++this.#lastId);
  }

  syncing(path: string): () => void {
    const id = this.#idOf(path);
    const now = this.#read(path);
    return () => {
      if (id !== undefined && now) this.#synced.set(id, now);
    };
  }

  happened(): void {
    // The rules may read files, and the watcher sees that too.
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#judge("only what was synced", new Map(this.#syncedIn(this.#idOf(this.#root)!, "")));
    this.#judge("every name", new Map(this.#liveIn(this.#root)));
    this.#isLooking = false;
  }

  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  #judge(image: string, files: Map<string, Buffer | null>): void {
    this.images++;
    for (const [name, bytes] of files)
      if (!this.#rules.isDraft(name) && !(bytes && this.#rules.isWhole(name, bytes)))
        this.#complain(`${image}: ${name} is not whole`);
    if (image === "every name") return;
    for (const [name, bytes] of this.#acknowledged)
      if (!files.get(name)?.equals(bytes)) this.#complain(`${image}: ${name} was acknowledged and is gone`);
  }

  #complain(fault: string): void {
    if (this.faults.length < MOST_FAULTS && !this.faults.includes(fault)) this.faults.push(fault);
  }

  *#syncedIn(folder: number, path: string): Generator<[string, Buffer | null]> {
    const names = this.#synced.get(folder);
    if (!(names instanceof Map)) return;
    for (const [name, { id, isFolder }] of names) {
      if (isFolder) yield* this.#syncedIn(id, join(path, name));
      else yield [join(path, name), this.#bytesOf(id)];
    }
  }

  *#liveIn(folder: string): Generator<[string, Buffer | null]> {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* this.#liveIn(path);
      const id = entry.isFile() ? this.#idOf(path) : undefined;
      if (id !== undefined) yield [relative(this.#root, path), this.#bytesOf(id)];
    }
  }

  #bytesOf(id: number): Buffer | null {
    const bytes = this.#synced.get(id);
    return bytes instanceof Buffer ? bytes : null;
  }

  #idOf(path: string): number | undefined {
    const ino = inodeOf(path);
    if (ino === undefined) return undefined;
    const known = this.#ids.get(ino) ?? ++this.#lastId;
    this.#ids.set(ino, known);
    return known;
  }

  #read(path: string): Synced {
    if (!lstatSync(path).isDirectory()) return readFileSync(path);
    const names = new Map<string, Entry>();
    for (const entry of entriesOf(path)) {
      const id = this.#idOf(join(path, entry.name));
      if (id !== undefined) names.set(entry.name, { id, isFolder: entry.isDirectory() });
    }
    return names;
  }

  #syncAll(path: string): void {
    const now = this.#read(path);
    this.#synced.set(this.#idOf(path)!, now);
    if (now instanceof Map) for (const name of now.keys()) this.#syncAll(join(path, name));
  }
}

/** A folder that is gone meanwhile holds nothing. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Undefined if the path is not there, or no longer. */
const inodeOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.ino;
