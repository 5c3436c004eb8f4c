import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BUILT } from "#server/domains/log/served-app.ts";
import { nodesOf, type Node } from "../../support/syntax.ts";

/** What the app checks by itself may add, as it is sent: compressed by gzip. */
const MOST_BYTES = 60 * 1_024;

interface Chunk {
  imports: string[];
  /** What it loads later, and the workers that it starts. */
  later: string[];
}

const nameOf = (path: string) => path.split("/").at(-1)!;
const textOf = (node: unknown): string | undefined => {
  const { value, quasis } = node as { value?: unknown; quasis?: { value: { cooked: string } }[] };
  return typeof value === "string" ? value : quasis?.length === 1 ? quasis[0]!.value.cooked : undefined;
};

/** What a built script names, by its syntax. */
function chunkAt(name: string): Chunk {
  const nodes = nodesOf(name, readFileSync(join(BUILT, "assets", name), "utf8"));
  const sources = (isOf: (node: Node) => boolean) =>
    nodes.flatMap((node) => (isOf(node) && node["source"] ? (textOf(node["source"]) ?? []) : [])).map(nameOf);
  const workers = nodes
    .flatMap((node) => textOf(node) ?? [])
    .filter((text) => /^\/assets\/worker-[^/]+\.js$/.test(text));
  return {
    imports: sources(({ type }) => /^(Import|ExportNamed|ExportAll)Declaration$/.test(type)),
    later: [...sources(({ type }) => type === "ImportExpression"), ...workers.map(nameOf)],
  };
}

/** The scripts that load at once with these. */
function loadedWith(...names: string[]): Map<string, Chunk> {
  const all = new Map<string, Chunk>();
  for (const wanted = [...names]; wanted.length > 0;) {
    const name = wanted.pop()!;
    if (all.has(name)) continue;
    const chunk = chunkAt(name);
    all.set(name, chunk);
    wanted.push(...chunk.imports);
  }
  return all;
}

const html = readFileSync(join(BUILT, "index.html"), "utf8");
const atFirst = loadedWith(...[...html.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!));
const laterOf = (chunks: Map<string, Chunk>) => [...chunks.values()].flatMap(({ later }) => later);
const only = (names: readonly string[], start: string): string => {
  const found = [...new Set(names.filter((name) => name.startsWith(start)))];
  if (found.length !== 1) throw new Error(`${found.length} built scripts begin with ${start}`);
  return found[0]!;
};

it("what the app checks by itself comes after the page, in at most 60 KiB beside the beacon's own", () => {
  // What lives beside the screens starts it once the page is idle.
  const live = loadedWith(only(laterOf(atFirst), "live-"));
  const watch = loadedWith(only(laterOf(live), "watch-"));
  const worker = loadedWith(only(laterOf(watch), "worker-"));
  const page = new Set([...atFirst.keys(), ...live.keys()]);
  const extra = [...watch.keys(), ...worker.keys()].filter((name) => !page.has(name));
  expect([...page].filter((name) => /^(watch|worker)-/.test(name))).toEqual([]);
  const sizes = extra.map((name) => [name, statSync(join(BUILT, "assets", `${name}.gz`)).size] as const);
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect({ isWithin: bytes <= MOST_BYTES, bytes, sizes }).toMatchObject({ isWithin: true });
  expect(laterOf(worker).map((name) => name.replace(/-[^.]+\.js$/, ""))).toEqual(["beacon"]);
});
