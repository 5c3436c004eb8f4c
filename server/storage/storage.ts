/** A file that is kept, or a part of one. */
export interface StoredFile {
  /** Of the whole file, in bytes. */
  size: number;
  /** Ms since the epoch, by the clock of where it is kept. */
  writtenAt: number;
  /** Its bytes from `start` to `end`, both included; without them, all. */
  read(part?: Part): NodeJS.ReadableStream;
  /** The same for whoever is done with each piece before asking for the next: its bytes are then others. */
  pieces(part?: Part): AsyncIterable<Uint8Array>;
}

/** From one byte to another, both included. */
export interface Part {
  start: number;
  end: number;
}

/**
 * Where pictures and videos lie. A name is a path of lower-case words, digits, `-` and `.`, such as
 * `uploads/4f….webp`; whatever else is asked for is not there. A file is whole or not there, and is never
 * changed: what is new has a new name.
 */
export interface Storage {
  /** Keeps bytes, or a copy of a file here, however large it is. */
  put(name: string, content: Uint8Array | { file: string }): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** The names of the files that lie in a folder, without what lies deeper. None for a folder that is not there. */
  list(folder: string): Promise<string[]>;
  /** Removes a file, or with a `/` at the end everything below. What is not there is no error. */
  remove(name: string): Promise<void>;
}

/** Names that may be kept: no way out of the folder, nothing hidden. */
export const isStorageName = (name: string): boolean => /^[a-z0-9_-]+(\/[a-z0-9_-]+)*(\.[a-z0-9]+)?\/?$/i.test(name);

/** The same without those of folders. */
export const isFileName = (name: string): boolean => isStorageName(name) && !name.endsWith("/");
