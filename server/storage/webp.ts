import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { webpOf } from "#server/pictures/encode.ts";
import type { Part, Storage, StoredFile } from "./storage.ts";

/** The folders whose pictures may be stored as AVIF alone. */
const SHOWN = /^(pictures|videos)\/.+/;
const isWebp = (name: string) => SHOWN.test(name) && name.endsWith(".webp");
const avifOf = (name: string) => name.replace(/webp$/, "avif");

const inMemory = (bytes: Uint8Array, writtenAt: number): StoredFile => {
  const cut = ({ start, end }: Part = { start: 0, end: bytes.length - 1 }) => bytes.subarray(start, end + 1);
  return {
    size: bytes.length,
    writtenAt,
    read: (part) => Readable.from([cut(part)]),
    pieces: async function* (part) {
      yield cut(part);
    },
  };
};

/**
 * A storage in which every AVIF has its WebP beside it. Few browsers still need one, so a missing WebP is made at its
 * first request and stored.
 */
export function withWebp(storage: Storage): Storage {
  const making = new Map<string, Promise<StoredFile | null>>();

  async function make(name: string): Promise<StoredFile | null> {
    const avif = await storage.find(avifOf(name));
    if (!avif) return null;
    const bytes = await webpOf(await buffer(avif.read()));
    // A disk that takes nothing more can still show what it has.
    const isStored = await storage.put(name, bytes).then(
      () => true,
      () => false,
    );
    return isStored ? storage.find(name) : inMemory(bytes, avif.writtenAt);
  }

  return {
    put: (name, content) => storage.put(name, content),
    remove: (name) => storage.remove(name),
    async find(name) {
      const found = await storage.find(name);
      if (found || !isWebp(name)) return found;
      const made = making.get(name) ?? make(name).finally(() => making.delete(name));
      making.set(name, made);
      return made;
    },
    async list(folder) {
      const names = await storage.list(folder);
      const shown = names.filter((name) => SHOWN.test(name) && name.endsWith(".avif"));
      return [...new Set([...names, ...shown.map((name) => name.replace(/avif$/, "webp"))])];
    },
  };
}
