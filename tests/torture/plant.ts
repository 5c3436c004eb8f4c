import { registerHooks } from "node:module";

/** A bug, as a change of one file's text. */
export interface Change {
  /** Its path from the root. */
  file: string;
  was: string;
  now: string;
}

// A preload: with PLANT in the environment, this process and its threads run the product with that bug in it. Nothing on
// the disk changes.
const plant = process.env.PLANT ? (JSON.parse(process.env.PLANT) as Change) : null;
if (plant) {
  const { file, was, now } = plant;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/${file}`) || loaded.source === undefined || loaded.source === null) return loaded;
      const text =
        typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
      if (text.split(was).length !== 2) throw new Error(`${file} does not have once: ${was}`);
      return { ...loaded, source: text.replace(was, () => now) };
    },
  });
}

/** What a process needs in its environment to have the bug of this one. */
export const inherited = (): Record<string, string> =>
  process.env.PLANT ? { PLANT: process.env.PLANT, NODE_OPTIONS: `--import ${import.meta.url}` } : {};
