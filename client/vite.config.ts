import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import { build, defineConfig, type Plugin } from "vite";
import { languages } from "#locales/vite-plugin.ts";

/**
 * What every screen needs comes in three pieces, and what most of them load later in three more: a slow line pays for
 * each request. What only some need stays with them. A group takes along what its modules import, so the groups before
 * it name what it must not take.
 */
const CHUNKS = [
  {
    name: "base",
    priority: 5,
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|i18next|zod|mitt)\//,
  },
  {
    name: "core",
    priority: 4,
    test: /client\/(text\/|storage\/|app\/(first-screen|theme|layers|use-go|use-scroll-memory)|routes|api\/(?!connect|keep)|hooks\/use-(site|countdown|games|watched|write))|client\/components\/(Screen|TabBar|Button|Notes|Skeleton|NoticeBar|Amount|Dice|CountdownRing|Refusal)|shared\/(contract|format|locales|money|screens|time|refusal|picture)|@base-ui\/(utils\/(?!useScrollLock)|react\/(merge-props|utils\/(?!popups)|internals\/(TransitionStatus|stateAttributes|getState|useRender|useAnimations|useOpenChange|createBaseUI|reason-parts|constants|useTransition|useBaseUiId|useValueChanged)))|@floating-ui\/utils|use-sync-external-store/,
  },
  { name: "icons", priority: 3, test: /lucide-react/, minShareCount: 4 },
  {
    name: "forms",
    priority: 2,
    minShareCount: 5,
    test: /@base-ui\/react\/(field|internals)|client\/components\/(TextField|PasskeyButton|PasscodePad)|use-passkey/,
  },
  {
    name: "sheets",
    priority: 1,
    minShareCount: 5,
    test: /node_modules\/@?xstate|@base-ui\/react\/(dialog|floating-ui)|client\/components\/(Sheet|ProofSheet)|screens\/(wallet\/(use-limits|use-visit|Reminder)|log\/(FoundBanner|found-words))/,
  },
  {
    name: "lists",
    priority: 0,
    test: /client\/components\/(EndlessList|Hearts|Picture)|listing\/ListingCard|thumbhash/,
  },
];

/** Locale files are parsed as modules, so that only the part that screens read reaches them. */
const JSON_MODULES = { namedExports: true, stringify: false };

export default defineConfig({
  plugins: [languages(), withoutDocumentation(), tailwind(), offlinePage(), compressed()],
  json: JSON_MODULES,
  // The worker beside the page loads a part of its code later.
  worker: { format: "es", plugins: () => [languages()] },
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
function withoutDocumentation(): Plugin {
  return {
    name: "trio-without-documentation",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/shared/contract/")) return null;
      return { code: code.replaceAll(/\b(?:summary:\s*"(?:[^"\\]|\\.)*"|refuses:\s*\[[^\]]*\]),/g, ""), map: null };
    },
  };
}

const NOTHING_ELSE = [
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

/**
 * Builds the page that checks offline: one file that holds all it needs. Its policy names the hashes of its script and
 * style, so nothing else runs in it, and nothing leaves it, wherever it is opened.
 */
function offlinePage(): Plugin {
  let built = "";
  const sourceOf = (name: string) => readFileSync(join(import.meta.dirname, "offline", name), "utf8");
  const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return {
    name: "trio-offline-page",
    apply: "build",
    configResolved({ root, build }) {
      built = resolve(root, build.outDir);
    },
    async writeBundle() {
      const entry = join(import.meta.dirname, "offline/main.ts");
      const lib = { entry, formats: ["iife" as const], name: "check" };
      const made = await build({
        configFile: false,
        root: import.meta.dirname,
        publicDir: false,
        logLevel: "warn",
        plugins: [languages()],
        json: JSON_MODULES,
        build: { write: false, lib, minify: true },
      });
      const [{ output }] = made as { output: { code: string }[] }[] as [{ output: [{ code: string }] }];
      // A closing tag within a text would end the script.
      const script = output[0].code.trim().replaceAll("</script", "<\\/script");
      const style = sourceOf("check.css");
      const policy = [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        ...NOTHING_ELSE,
      ].join("; ");
      const page = sourceOf("check.html")
        .replace('Policy" content=""', () => `Policy" content="${policy}"`)
        .replace("<style></style>", () => `<style>${style}</style>`)
        .replace("<script></script>", () => `<script>${script}</script>`);
      writeFileSync(join(built, "check.html"), page);
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
