import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import { screenTextsOf, type ScreenTexts } from "./home-texts.ts";
import { FILES, LANGUAGES } from "./languages.ts";
import { OFFLINE_TEXTS } from "./offline-texts.ts";

const FOLDER = import.meta.dirname;
const tags = LANGUAGES.map(({ tag }) => tag);
/** A file of one language's texts, and the part of them that it holds. */
const PART = /^(.+)\.(home|others)\.js$/;
const fetchOf = (tag: string, part: keyof ScreenTexts) =>
  `() => import(${JSON.stringify(`./${tag}.${part}.js`)}).then(({ default: texts }) => texts)`;
const fetches = tags.map(
  (tag) => `${JSON.stringify(tag)}: { home: ${fetchOf(tag, "home")}, others: ${fetchOf(tag, "others")} }`,
);

/** What browsers get for each module of `locales` that reads its folder. */
const MODULES: Record<string, () => string> = {
  "languages.ts": () => `export const LANGUAGES = ${JSON.stringify(LANGUAGES)};`,
  "screen-texts.ts": () => `export const SCREEN_TEXTS = {${fetches.join(", ")}};`,
  "offline-texts.ts": () => `export const OFFLINE_TEXTS = ${JSON.stringify(OFFLINE_TEXTS)};`,
};

/** Gives a browser the languages that had a file when it was built, each fetched when it is first wanted, in two parts. */
export function languages(): Plugin {
  return {
    name: "trio-languages",
    enforce: "pre",
    resolveId: (source, importer) =>
      importer === join(FOLDER, "screen-texts.ts") && PART.test(source) ? join(FOLDER, source) : null,
    load(id) {
      const [, tag, part] = (dirname(id) === FOLDER && PART.exec(basename(id))) || [];
      const file = FILES.find((one) => one.tag === tag);
      if (file) return `export default ${JSON.stringify(screenTextsOf(file)[part as keyof ScreenTexts])};`;
      const [path, module] = Object.entries(MODULES).find(([name]) => id === join(FOLDER, name)) ?? [];
      if (!path || !module) return null;
      for (const tag of tags) this.addWatchFile(join(FOLDER, `${tag}.json`));
      return module();
    },
  };
}
