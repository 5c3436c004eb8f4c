import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { LOCALES } from "#shared/locales.ts";
import { fencesOf, PAGES, pageAt, type Fence } from "./pages.ts";
import { ROOT } from "./source-files.ts";
import { spawnBound } from "./spawn-bound.ts";

/** All recipes: every page of `docs/adding` except the index. */
export const RECIPES: string[] = PAGES.map(({ path }) => path).filter((path) => /^docs\/adding\/(?!README)/.test(path));

/** What a recipe writes or changes, in order: its fences that name a file. */
export const snippetsOf = (recipe: string): Fence[] => fencesOf(pageAt(recipe)).filter(({ about }) => about !== "");

const LEFT_OUT = /^(node_modules|(console\/)?dist|data|\.git)$|^db\/demo\/(pictures|videos)$/;

/** A copy of the source tree to change and try out. The original stays unchanged. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), "trio-copy-"));

  constructor() {
    cpSync(ROOT, this.folder, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) });
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Applies a snippet: texts for every language, a diff, or a new file. */
  apply({ language, about, text }: Fence): void {
    if (about === "locales") this.#addWords(JSON.parse(text) as Record<string, Record<string, string>>);
    else if (language === "diff") this.#change(about, text);
    else this.write(about, text);
  }

  #addWords(words: Record<string, Record<string, string>>): void {
    for (const { tag } of LOCALES) {
      const file = `locales/${tag}.json`;
      const tree = JSON.parse(readFileSync(join(this.folder, file), "utf8")) as Tree;
      for (const [key, text] of Object.entries(words[tag]!)) put(tree, key.split("."), text);
      this.write(file, JSON.stringify(tree, null, 2));
    }
  }

  /** Applies a diff to lines that occur exactly once: removes those with a minus, adds those with a plus. */
  #change(path: string, diff: string): void {
    // A table's columns are as wide as its widest row, which others may add.
    const narrow = (table: string) => (path.endsWith(".md") ? table.replaceAll(/ +\|/g, " |") : table);
    const lines = narrow(diff.trimEnd()).split("\n");
    const side = (sign: string) =>
      lines.filter((line) => line.startsWith(" ") || line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
    const text = narrow(readFileSync(join(this.folder, path), "utf8"));
    const parts = text.split(side("-").join(""));
    if (parts.length !== 2) throw new Error(`what is to be changed stands ${parts.length - 1} times in ${path}`);
    this.write(path, parts.join(side("+").join("")));
  }

  /** Runs a package's program in the copy, and returns its output; all of it where it failed. */
  run(bin: string, ...words: string[]): Promise<Ran> {
    return this.#spawn(process.execPath, [join("node_modules", bin), ...words]);
  }

  /** Runs one of the copy's package.json scripts, but none that installs. */
  script(name: string, ...words: string[]): Promise<Ran> {
    return this.#spawn("npm", ["run", "--ignore-scripts", name, "--", ...words]);
  }

  async #spawn(program: string, words: string[]): Promise<Ran> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST(S|_REPORT)?$)/.test(name)),
    );
    // npm ends what it has started.
    const child = spawnBound(
      program,
      words,
      {
        cwd: this.folder,
        env: { ...env, NO_COLOR: "1" },
        stdio: ["ignore", "pipe", "pipe"],
      },
      "SIGTERM",
    );
    const [out, err, [exit]] = await Promise.all([
      textOf(child.stdout!),
      textOf(child.stderr!),
      once(child, "close") as Promise<[number | null]>,
    ]);
    return { exit, output: out + err };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export interface Ran {
  exit: number | null;
  output: string;
}

interface Tree {
  [key: string]: string | Tree;
}

function put(tree: Tree, [name, ...rest]: string[], text: string): void {
  if (rest.length === 0) tree[name!] = text;
  else put((tree[name!] ??= {}) as Tree, rest, text);
}
