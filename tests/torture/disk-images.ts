import { dirname } from "node:path";
import type { DiskEvent } from "./recording.ts";

/** A file's bytes that are certain, and what was written since its last sync began. */
interface File {
  synced: Buffer;
  pending: Change[];
  /** How many changes were synced so far. */
  done: number;
}

type Change = { at: number; bytes: Buffer } | { size: number };

/** A folder, where a name may lead to it instead of to a file. */
const FOLDER = "folder";
type Entry = File | typeof FOLDER;

/**
 * What makes a name certain. `posix`: only a sync of its folder does. `journal`: any sync commits all names before it, as
 * ext4 and xfs do. `early`: none has to wait, so a name may be there before its file's bytes, as POSIX allows too.
 */
export const NAMES = ["posix", "journal", "early"] as const;
export type Names = (typeof NAMES)[number];

/** What becomes of a change that was not synced: it is lost, or whole, or torn: only some of its sectors are there. */
export type Fate = () => "lost" | "whole" | "torn";

const SECTOR = 512;
const WHOLE: Fate = () => "whole";
const NEVER = () => 0;
const holding = (synced: Buffer): File => ({ synced, pending: [], done: 0 });

/** A disk on which recorded events happen, and how it may look after the power fails. */
export class DiskImages {
  readonly #live = new Map<string, Entry>();
  readonly #certain: Record<Names, Map<string, Entry>> = { posix: new Map(), journal: new Map(), early: this.#live };
  /** What a sync under way will make certain: a file up to the last change before it began, or a folder's names. */
  readonly #syncing = new Map<string, { file: File; upTo: number } | { names: Map<string, Entry> }>();

  /** All of this is on the disk before the first event. A folder's name ends with `/`. */
  constructor(files: Map<string, Buffer | null>) {
    for (const [path, bytes] of files) this.#live.set(path, bytes ? holding(bytes) : FOLDER);
    for (const [path, entry] of this.#live) for (const names of NAMES) this.#certain[names].set(path, entry);
  }

  happen(event: DiskEvent): void {
    const { path } = event;
    if (event.does === "create" && !this.#live.has(path)) this.#live.set(path, holding(Buffer.alloc(0)));
    else if (event.does === "mkdir") this.#live.set(path, FOLDER);
    else if (event.does === "unlink" || event.does === "rmdir") this.#live.delete(path);
    else if (event.does === "rename" || event.does === "link") this.#name(path, event.to, event.does);
    else if (event.does === "write") this.#change(path, { at: event.at ?? this.#sizeOf(path), bytes: event.bytes });
    else if (event.does === "truncate") this.#change(path, { size: event.size });
    else if (event.does === "sync") this.#sync(path, event.id);
    else if (event.does === "synced") this.#synced(event.id, path);
  }

  /** The files after a power cut now. */
  image(names: Names, fate: Fate, random: () => number): Map<string, Buffer> {
    const certain = this.#certain[names];
    const image = new Map<string, Buffer>();
    for (const [path, entry] of certain)
      if (entry !== FOLDER && isReached(path, certain)) image.set(path, apply(entry, fate, random));
    return image;
  }

  #name(from: string, to: string, how: "rename" | "link"): void {
    const entry = this.#live.get(from);
    if (entry === undefined) throw new Error(`a recording has no ${from}`);
    this.#live.set(to, entry);
    if (how === "rename") this.#live.delete(from);
  }

  #sizeOf(path: string): number {
    const file = this.#live.get(path);
    return file === undefined || file === FOLDER ? 0 : apply(file, WHOLE, NEVER).length;
  }

  /** A file that is gone, or was never named here, has no image. */
  #change(path: string, change: Change): void {
    const file = this.#live.get(path);
    if (file !== undefined && file !== FOLDER) file.pending.push(change);
  }

  #sync(path: string, id: string): void {
    const entry = path === "" ? FOLDER : this.#live.get(path);
    if (entry === FOLDER)
      this.#syncing.set(id, { names: new Map([...this.#live].filter(([name]) => isIn(name, path))) });
    else if (entry) this.#syncing.set(id, { file: entry, upTo: entry.done + entry.pending.length });
  }

  #synced(id: string, path: string): void {
    const sync = this.#syncing.get(id);
    this.#syncing.delete(id);
    if (!sync) return;
    if ("file" in sync) {
      const { file, upTo } = sync;
      const pending = file.pending.splice(0, Math.max(0, upTo - file.done));
      file.synced = apply({ ...file, pending }, WHOLE, NEVER);
      file.done += pending.length;
    } else replace(this.#certain.posix, path, sync.names);
    this.#certain.journal.clear();
    for (const [name, entry] of this.#live) this.#certain.journal.set(name, entry);
  }
}

const isIn = (name: string, folder: string) => dirname(name) === (folder || ".");

function replace(names: Map<string, Entry>, folder: string, by: Map<string, Entry>): void {
  for (const name of names.keys()) if (isIn(name, folder)) names.delete(name);
  for (const [name, entry] of by) names.set(name, entry);
}

/** A name is reached if each folder above it is named too. */
function isReached(path: string, names: Map<string, Entry>): boolean {
  const folder = dirname(path);
  return folder === "." || (names.get(folder) === FOLDER && isReached(folder, names));
}

function apply({ synced, pending }: File, fate: Fate, random: () => number): Buffer {
  const ends = pending.map((change) => ("size" in change ? change.size : change.at + change.bytes.length));
  const bytes = Buffer.alloc(Math.max(synced.length, ...ends));
  synced.copy(bytes);
  let size = synced.length;
  for (const change of pending) {
    const what = fate();
    if (what === "lost") continue;
    if ("size" in change) {
      bytes.fill(0, Math.min(size, change.size), size);
      size = change.size;
      continue;
    }
    for (let from = 0; from < change.bytes.length; from += SECTOR)
      if (what === "whole" || random() < 0.5) change.bytes.copy(bytes, change.at + from, from, from + SECTOR);
    size = Math.max(size, change.at + change.bytes.length);
  }
  return bytes.subarray(0, size);
}
