import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/**
 * What every screen needs comes in two pieces instead of twenty: a slow line
 * pays for each request. What only some need stays with them.
 */
const CHUNKS = [
  { name: "base", test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|i18next|zod|mitt)\// },
  {
    name: "core",
    test: /client\/(text\/|storage\/|app\/(first-screen|theme|go-back|use-go|use-scroll-memory)|routes|api\/(?!connect|keep)|hooks\/use-(site|countdown|games|watched))|client\/components\/(Screen|TabBar|Button|Notes|Skeleton|NoticeBar|Amount|Dice|CountdownRing)|shared\/(contract|format|locales|money|screens|time|refusal)/,
  },
];

export default defineConfig({
  plugins: [withoutSummaries(), tailwind(), compressed()],
  // Locale files are parsed as modules, so that only the part that screens read reaches them.
  json: { namedExports: true, stringify: false },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark what runs in browsers only; here everything does.
    rolldownOptions: { checks: { moduleLevelDirective: false }, output: { codeSplitting: { groups: CHUNKS } } },
  },
});

/** What the documentation says of each endpoint is for readers of /docs: the app goes without. */
function withoutSummaries(): Plugin {
  return {
    name: "trio-without-summaries",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/shared/contract/")) return null;
      return { code: code.replaceAll(/\bsummary:\s*"(?:[^"\\]|\\.)*",/g, ""), map: null };
    },
  };
}

/** Lays a compressed copy beside every text file, once, so that the server never compresses while it answers. */
function compressed(): Plugin {
  let built = "";
  return {
    name: "trio-compressed",
    apply: "build",
    configResolved({ root, build }) {
      built = resolve(root, build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
        const file = join(built, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
