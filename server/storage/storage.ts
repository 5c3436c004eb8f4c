/** A stored file. */
export interface StoredFile {
  /** Of the whole file, in bytes. */
  size: number;
  /** Ms since the epoch, by the storage's clock. */
  writtenAt: number;
  /** Its bytes from `start` to `end`, both included; without them, all. */
  read(part?: Part): NodeJS.ReadableStream;
  /** The same, through one reused buffer: each piece is valid until the next one is requested. */
  pieces(part?: Part): AsyncIterable<Uint8Array>;
}

/** The place of the files cannot be used now: its disk is full or fails, or the bucket does not answer as it should. */
export class StorageAway extends Error {
  override name = "StorageAway";
}

/** A byte range, both ends included. */
export interface Part {
  start: number;
  end: number;
}

/**
 * Where pictures and videos are stored. A name is a path of lower-case words, digits, `-` and `.`, such as
 * `uploads/4f….webp`; any other name is not found. A file is whole or absent, and never changes: new bytes get a new
 * name. Each call may throw `StorageAway`; nothing was stored then that anybody finds.
 */
export interface Storage {
  /** Stores bytes, or a copy of a local file of any size. */
  put(name: string, content: Uint8Array | { file: string }): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** The names of the files directly in a folder; none for a missing folder. */
  list(folder: string): Promise<string[]>;
  /** Removes a file, or everything below a name that ends in `/`. A missing one is no error. */
  remove(name: string): Promise<void>;
}

/** Valid names: no way out of the folder, nothing hidden. */
export const isStorageName = (name: string): boolean => /^[a-z0-9_-]+(\/[a-z0-9_-]+)*(\.[a-z0-9]+)?\/?$/i.test(name);

/** The same without those of folders. */
export const isFileName = (name: string): boolean => isStorageName(name) && !name.endsWith("/");
