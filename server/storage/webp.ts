import { buffer } from "node:stream/consumers";
import { webpOf } from "#server/pictures/encode.ts";
import type { Storage, StoredFile } from "./storage.ts";

/** The folders whose pictures may be stored as AVIF alone. */
const SHOWN = /^(pictures|videos)\/.+/;
const isWebp = (name: string) => SHOWN.test(name) && name.endsWith(".webp");
const avifOf = (name: string) => name.replace(/webp$/, "avif");

/**
 * A storage in which every AVIF has its WebP beside it. Few browsers still need one, so a missing WebP is made at its
 * first request and stored.
 */
export function withWebp(storage: Storage): Storage {
  const making = new Map<string, Promise<StoredFile | null>>();

  async function make(name: string): Promise<StoredFile | null> {
    const avif = await storage.find(avifOf(name));
    if (!avif) return null;
    await storage.put(name, await webpOf(await buffer(avif.read())));
    return storage.find(name);
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
