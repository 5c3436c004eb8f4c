import { posix } from "node:path";
import type { Storage } from "#server/storage/storage.ts";

/** The storage could not be read. The message says why. */
export class StorageAway extends Error {
  override name = "StorageAway";
}

/** A cache of the storage's folders, each listed at its first use. */
export class StoredNames {
  readonly #storage: Pick<Storage, "list">;
  readonly #folders = new Map<string, Promise<Set<string>>>();

  constructor(storage: Pick<Storage, "list">) {
    this.#storage = storage;
  }

  /** Returns the files that are missing. Throws StorageAway. */
  async lacking(files: readonly string[]): Promise<string[]> {
    const there = await Promise.all(files.map(async (file) => (await this.#namesIn(posix.dirname(file))).has(file)));
    return files.filter((_, i) => !there[i]);
  }

  #namesIn(folder: string): Promise<Set<string>> {
    const known = this.#folders.get(folder) ?? this.#list(folder);
    this.#folders.set(folder, known);
    return known;
  }

  async #list(folder: string): Promise<Set<string>> {
    try {
      return new Set(await this.#storage.list(folder));
    } catch (error) {
      throw new StorageAway((error as Error).message, { cause: error });
    }
  }
}
