import { join } from "node:path";
import type { Plugin } from "vite";
import { LANGUAGES } from "./languages.ts";
import { OFFLINE_TEXTS } from "./offline-texts.ts";

const FOLDER = import.meta.dirname;
const fileOf = (tag: string) => JSON.stringify(`./${tag}.json`);
const tags = LANGUAGES.map(({ tag }) => tag);
const rows = (all: readonly string[], row: (tag: string) => string) =>
  `{${all.map((tag) => `${JSON.stringify(tag)}: ${row(tag)}`).join(", ")}}`;

/** What browsers get for each module of `locales` that reads its folder. */
const MODULES: Record<string, () => string> = {
  "languages.ts": () => `export const LANGUAGES = ${JSON.stringify(LANGUAGES)};`,
  "screen-texts.ts": () =>
    `export const SCREEN_TEXTS = ${rows(tags, (tag) => `() => import(${fileOf(tag)}).then(({ app, option }) => ({ ...app, option }))`)};`,
  "offline-texts.ts": () => `export const OFFLINE_TEXTS = ${JSON.stringify(OFFLINE_TEXTS)};`,
};

/** Gives a browser the languages that had a file when it was built, each fetched when it is first wanted. */
export function languages(): Plugin {
  return {
    name: "trio-languages",
    enforce: "pre",
    load(id) {
      const [path, module] = Object.entries(MODULES).find(([name]) => id === join(FOLDER, name)) ?? [];
      if (!path || !module) return null;
      for (const tag of tags) this.addWatchFile(join(FOLDER, `${tag}.json`));
      return module();
    },
  };
}
