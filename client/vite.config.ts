import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import { build, defineConfig, type Plugin } from "vite";
import { FILES, partOf, type LanguageFile } from "#locales/languages.ts";
import { languages } from "#locales/vite-plugin.ts";
import { fileInLanguage, START_PAGE } from "#shared/log/served-files.ts";
import { withoutSchemas } from "./build/without-schemas.ts";

/** The graph of all modules. */
interface Modules {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null;
}

const inClient = (...files: string[]): string[] => files.map((file) => join(import.meta.dirname, file));

/** What a first visit to the home screen waits for. */
const FIRST = inClient("main.tsx", "screens/site/Home.tsx");

let first: Set<string> | undefined;
/** The file of a module that a first visit waits for; null for the others. */
function appFile(id: string, modules: Modules): string | null {
  first ??= reached(FIRST, modules, (module) => !module.includes("/node_modules/"));
  return first.has(id) ? "app" : null;
}

/** What comes once the first screen stands: beside any of them, and on the home screen. What a phone found comes apart from it: it is to be said even if this fails. */
const LATER = {
  beside: inClient(
    "components/ProofSheet.tsx",
    "components/Toaster.tsx",
    "screens/site/Tidings.tsx",
    "screens/wallet/Reminder.tsx",
  ),
  below: inClient(
    "screens/listing/HomeListings.tsx",
    "screens/site/BannerSlides.tsx",
    "screens/site/HomeExtras.tsx",
    "screens/site/Install.tsx",
  ),
};

let later: Map<string, string> | undefined;
/** The file of a module that comes later and that no screen loads; null for the others. */
const laterFile = (id: string, modules: Modules) => (later ??= laterFiles(modules)).get(id) ?? null;

function laterFiles(modules: Modules): Map<string, string> {
  const loadedBy = (id: string) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  const screens = reached(loadedBy(inClient("routes.tsx")[0]!), modules);
  // What a screen loads by itself, such as a menu, is a part of it.
  const roots = new Set(Object.values(LATER).flat());
  const parts = [...screens].flatMap(loadedBy).filter((id) => !roots.has(id));
  const ofScreens = new Set([...screens, ...reached(parts, modules)]);
  const files = Object.entries(LATER).map(([name, roots]) => ({ name, ids: reached(roots, modules) }));
  return new Map(files.flatMap(({ name, ids }) => [...ids].filter((id) => !ofScreens.has(id)).map((id) => [id, name])));
}

/**
 * A slow line pays for each request. What a first visit waits for comes in three files: what asks for the others, the
 * libraries, and the app with its home screen. What stands beside a screen, and below Home, is a file each, and what most screens share five
 * more. What only some need stays with them. A group takes along what its modules import, so the groups before it name what it must not take.
 */
const CHUNKS = [
  {
    name: "first",
    priority: 8,
    test: /client\/(routes|storage\/(local-storage|tab-storage)|text\/(text-tags|warm-formats)|app\/(missing-chunk|first-calls|theme|trusted-scripts)|api\/(jitter|early))|shared\/(screens|locales|contract\/(endpoint|envelope|values|session|site|video|lottery))\.ts|locales\/(languages|screen-texts)\.ts|vite\/preload-helper/,
  },
  {
    name: "base",
    priority: 7,
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|mitt)\//,
  },
  { name: appFile, debugName: "app", priority: 6, test: /\/(client|shared|locales)\// },
  {
    name: "layers",
    priority: 5,
    test: /client\/(components\/(Card|KeptRounds|Licence|Meter|PasscodePad|PasskeyButton|Refusal|SafeHtml|TextField)\.|hooks\/use-passkey|screens\/log\/(found-words|BetLink)|api\/(push|passkey))|shared\/(contract\/(passkeys|payments|security|withdrawals)|result-path)|@base-ui\/(utils\/(?!useScrollLock)|react\/(field|merge-props|utils\/(?!popups)|internals\/(TransitionStatus|stateAttributes|getState|useRender|useAnimations|useOpenChange|createBaseUI|reason-parts|constants|useTransition|useBaseUiId|useValueChanged|useUnmountAfterClose|use-button|composite\/(composite|root\/CompositeRootContext)\.)))|@floating-ui\/utils|use-sync-external-store/,
  },
  // With two hooks that most screens with icons use.
  {
    name: "icons",
    priority: 4,
    test: /lucide-react|client\/hooks\/(arrow-keys|use-server-now)/,
    minShareCount: 2,
  },
  {
    name: "sheets",
    priority: 2,
    minShareCount: 5,
    test: /node_modules\/@?xstate|@base-ui\/react\/(dialog|floating-ui)|client\/components\/(Sheet|ProofSheet)|screens\/(wallet\/(use-limits|use-visit|Reminder)|log\/(FoundBanner|found-words))/,
  },
  {
    name: "lists",
    priority: 1,
    test: /client\/(api\/pages|storage\/use-tab-storage|components\/(EndlessList|Hearts|Picture|ShareButton|show-whole))|listing\/(ListingCard|NoCity|NotShown|use-viewer)|screens\/video\/(length|TileSkeletons|PlayCount|Poster|VideoTile|HallTabs)\.|thumbhash/,
  },
  {
    name: "rounds",
    priority: 1,
    minShareCount: 2,
    test: /client\/(screens\/lottery|machines|hooks)\/|@xstate\/react|lucide-react\/.*\/timer/,
  },
  { name: "swiper", priority: 1, minShareCount: 2, test: /node_modules\/swiper\/.*js$|client\/components\/Turns/ },
  { name: laterFile, debugName: "later", priority: 0 },
];

/** The page itself names these, so what loads a screen need not. */
const isInPage = (file: string) => /\/(first|base|app|rolldown-runtime)-[\w-]{8}\.js$/.test(file);

/** Locale files are parsed as modules, so that only the part that screens read reaches them. */
const JSON_MODULES = { namedExports: true, stringify: false };

export default defineConfig({
  plugins: [
    languages(),
    withoutSchemas(),
    tailwind(),
    appPreloads(),
    offlinePage(),
    manifests(),
    pages(),
    compressed(),
  ],
  json: JSON_MODULES,
  // The worker beside the page loads a part of its code later.
  worker: { format: "es", plugins: () => [languages(), withoutSchemas()] },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: (_file, files) => files.filter((file) => !isInPage(file)) },
    // Libraries mark what runs in browsers only; here everything does.
    rolldownOptions: { checks: { moduleLevelDirective: false }, output: { codeSplitting: { groups: CHUNKS } } },
  },
});

/** The files, and the modules that they import, however far, by their names. */
function reached(files: readonly string[], modules: Modules, isWanted = (_id: string) => true): Set<string> {
  const found = new Set(files);
  for (const id of found)
    modules
      .getModuleInfo(id)
      ?.importedIds.filter(isWanted)
      .forEach((one) => found.add(one));
  return found;
}

/** The page names the app's files, so that they come beside its first script and not after it. */
function appPreloads(): Plugin {
  return {
    name: "trio-app-preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(page, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const app = chunks.find(({ moduleIds }) => moduleIds.includes(FIRST[0]!))!;
        return [app.fileName, ...app.imports]
          .filter((file) => !page.includes(file))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head" as const,
          }));
      },
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
        plugins: [languages(), withoutSchemas()],
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

/** A text as HTML holds it between quotes or tags. */
const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** What a language says of the app; in English where it says nothing. */
function saidBy(file: LanguageFile): { description: string; noScript: string } {
  const [own, english] = [file, FILES.find(({ tag }) => tag === "en")!].map((one) => ({
    description: (partOf(one, "app").home as Record<string, string> | undefined)?.introMoney,
    noScript: partOf(one, "page").noScript as string | undefined,
  })) as [{ description?: string; noScript?: string }, { description: string; noScript: string }];
  return { description: own.description ?? english.description, noScript: own.noScript ?? english.noScript };
}

/** The page in each language: its head, and what it says where no script runs. Each is a file, like the manifests. */
function pages(): Plugin {
  const inLanguage = (page: string, file: LanguageFile): string => {
    const { description, noScript } = saidBy(file);
    return page
      .replace(/<html [^>]*>/, `<html lang="${file.tag}" dir="${file.language.direction}">`)
      .replace('name="description" content=""', () => `name="description" content="${escaped(description)}"`)
      .replace("<noscript></noscript>", () => `<noscript>${escaped(noScript)}</noscript>`);
  };
  return {
    name: "trio-pages",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const start = bundle[START_PAGE];
        if (start?.type !== "asset") throw new Error("Vite has made no page");
        const page = String(start.source);
        for (const file of FILES) {
          const source = inLanguage(page, file);
          const fileName = fileInLanguage(START_PAGE, file.tag);
          if (fileName === START_PAGE) start.source = source;
          else this.emitFile({ type: "asset", fileName, source });
        }
      },
    },
  };
}

/** A manifest for each language, and the one in English for all others. All are files, so the public log has the hash of each. */
function manifests(): Plugin {
  return {
    name: "trio-manifests",
    apply: "build",
    generateBundle() {
      const english = JSON.parse(readFileSync(join(import.meta.dirname, "public/manifest.webmanifest"), "utf8")) as {
        shortcuts: { name: string }[];
      };
      for (const file of FILES) {
        const app = partOf(file, "app") as Record<"home" | "game" | "mine", Record<string, string> | undefined>;
        const shortcuts = [app.game?.title, app.home?.video, app.mine?.title];
        const source = {
          ...english,
          description: saidBy(file).description,
          lang: file.tag,
          dir: file.language.direction,
          shortcuts: english.shortcuts.map((one, at) => ({ ...one, name: shortcuts[at] ?? one.name })),
        };
        // The app asks for its language's by its tag; a page before the app has run, for the reader's.
        const names = new Set([`manifest.${file.tag}.webmanifest`, fileInLanguage("manifest.webmanifest", file.tag)]);
        for (const fileName of names) this.emitFile({ type: "asset", fileName, source: JSON.stringify(source) });
      }
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
