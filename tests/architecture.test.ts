import { describe, expect, it } from "vitest";
import { importsOf, reachedFrom, UNKNOWN, type Import } from "./support/imports.ts";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";
import { isNode, topLevelNodesOf, type Node } from "./support/syntax.ts";

const files = readSourceFiles();
const paths = files.map(({ path }) => path);
const imports = importsOf(files);
const file = (path: string, text: string): SourceFile => ({ path, text });
const describeImport = ({ from, specifier, kind }: Import) =>
  `${from} imports ${specifier}${kind === "type" ? " (a type)" : ""}`;

/** What a layer may import besides itself, by the beginning of the path. `types`: as a type only. */
interface Layer {
  may: string[];
  types?: string[];
}
const BASE = "server/domains/ledger + account + log";
const EVERYTHING = ["shared/", "db/", "server/", "client/", "locales/"];
const LAYERS: Record<string, Layer> = {
  locales: { may: [] },
  shared: { may: ["locales/languages.ts"] },
  db: { may: ["shared/"] },
  [BASE]: { may: ["shared/", "db/", "server/app/deps.ts"], types: ["server/config/keys.ts"] },
  "a domain": {
    may: [
      "shared/",
      "db/",
      "server/app/deps.ts",
      "server/http/answers.ts",
      "server/http/envelope.ts",
      "server/http/own-call.ts",
      "server/http/refusal-of.ts",
      "server/http/serve.ts",
      "server/http/serve-file.ts",
      "server/http/told-headers.ts",
      "server/domains/ledger/",
      "server/domains/account/",
      "server/domains/keys/",
      "server/domains/log/",
    ],
    types: ["server/config/keys.ts", "server/http/operation.ts", "server/http/replay.ts", "server/storage/storage.ts"],
  },
  "server/admin": { may: ["shared/", "db/", "server/"] },
  "server/bench": { may: ["shared/", "db/", "server/"] },
  server: { may: ["shared/", "db/", "server/domains/", "locales/"] },
  "client/machines": { may: ["shared/"] },
  client: { may: ["shared/", "locales/", "client/"] },
  console: { may: ["shared/", "locales/"] },
  tests: { may: EVERYTHING },
};

/** The layer of a file: its folder; each domain is a layer, but the base ones are one together. */
function layerOf(path: string): string {
  const domain = /^server\/domains\/([^/]+)\//.exec(path)?.[1];
  if (domain) return ["account", "keys", "ledger", "log"].includes(domain) ? BASE : `server/domains/${domain}`;
  return (
    ["server/admin", "server/bench", "client/machines"].find((layer) => path.startsWith(`${layer}/`)) ??
    path.split("/")[0]!
  );
}

function isAllowed({ from, to, ours, kind }: Import): boolean {
  const layer = layerOf(from);
  if (!ours || layerOf(to) === layer) return true;
  const { may, types = [] } = LAYERS[layer] ?? LAYERS["a domain"]!;
  return [...may, ...(kind === "type" ? types : [])].some((beginning) => to.startsWith(beginning)) && !isDeadEnd(to);
}

/** No file imports the operator's commands or the benchmarks: they are entry points. */
const isDeadEnd = (to: string) => /^server\/(admin|bench)\//.test(to);
const forbidden = (imports: Import[]) => imports.filter((one) => !isAllowed(one)).map(describeImport);

describe("imports", () => {
  it("run one way through the layers", () => {
    expect(forbidden(imports.filter(({ from }) => !from.startsWith("tests/")))).toEqual([]);
  });

  it("have no circles, of types either", () => {
    // A type counts as a value here: an interface does not live with the factory of what implements it.
    const all = imports.filter(({ kind }) => kind !== "address").map((one) => ({ ...one, kind: "value" as const }));
    const next = (path: string) => all.filter(({ from, ours }) => ours && from === path).map(({ to }) => to);
    expect(paths.filter((path) => reachedFrom(next(path), all).has(path))).toEqual([]);
  });

  it("use names upwards: siblings and what is below are relative, everything else begins with #", () => {
    const climbing = imports.filter(({ specifier, kind }) => specifier.startsWith("../") && kind !== "address");
    expect(climbing.filter(({ from }) => !from.startsWith("tests/")).map(describeImport)).toEqual([]);
  });

  it("can all be resolved before the program runs", () => {
    const unresolved = imports.filter(({ from, specifier }) => specifier === UNKNOWN && !from.startsWith("tests/"));
    expect(unresolved.map(describeImport)).toEqual([]);
  });

  it("bring nothing of Node into what browsers run", () => {
    const browser = /^(shared|client|console)\/(?!vite\.config\.ts)/;
    expect(imports.filter(({ from, to }) => browser.test(from) && to.startsWith("node:")).map(describeImport)).toEqual(
      [],
    );
  });

  it("bring socket.io to the hub alone, and React to no machine", () => {
    const hub = imports.filter(({ from, to }) => to === "socket.io" && !/^(server\/realtime|tests)\//.test(from));
    const screens = imports.filter(({ from, to }) => to.startsWith("react") && from.startsWith("client/machines/"));
    expect([...hub, ...screens].map(describeImport)).toEqual([]);
  });
});

describe("the environment", () => {
  /** Where a program begins: nothing imports these. */
  const STARTS =
    /^server\/(main|admin\/main|bench\/choose-dialect)\.ts$|^server\/(setup|deploy\/health)\.mjs$|^db\/kit\/drizzle\.config\.ts$/;
  const isEnvironment = (node: Node) => {
    const isProcess = (value: unknown) => isNode(value) && value.type === "Identifier" && value.name === "process";
    if (node.type === "VariableDeclarator") return isProcess(node.init);
    if (node.type === "ImportDeclaration") return /^(node:)?process$/.test((node.source as { value: string }).value);
    return node.type === "MemberExpression" && isProcess(node.object) && (node.property as Node).name === "env";
  };
  const readers = (some: readonly SourceFile[]) =>
    some
      .filter(({ path }) => !/\.css$|^tests\//.test(path) && !STARTS.test(path))
      .filter(({ path, text }) => topLevelNodesOf(path, text).some(isEnvironment))
      .map(({ path }) => path);

  it("is read by no module while it is imported", () => {
    expect(readers(files)).toEqual([]);
  });

  it("is read where a program begins, which nothing imports", () => {
    const starts = paths.filter((path) => STARTS.test(path));
    expect(starts).toHaveLength(6);
    expect(imports.filter(({ to, kind }) => starts.includes(to) && kind === "value").map(describeImport)).toEqual([]);
  });

  it.each([
    ["export const dialect = process.env.DATABASE_URL ? 1 : 2;", 1],
    ["const { env } = process;", 1],
    ['import { env } from "node:process";', 1],
    ["class Pool { static url = process.env.URL; }", 1],
    ["export const read = () => process.env.PATH;", 0],
    ["export function read() { return process.env.PATH; }", 0],
  ])("%s: found %i times", (text, count) => {
    expect(readers([file("db/a.ts", text)])).toHaveLength(count);
  });
});

describe("server/ and client/", () => {
  const ENTRY_POINTS = {
    server: ["main.ts", "move.ts", "preload.mjs", "setup.mjs", "verify.ts", "witness.ts"],
    client: ["App.tsx", "first.ts", "main.tsx", "routes.tsx", "vite.config.ts"],
  };

  it.each(Object.entries(ENTRY_POINTS))("%s holds rooms, and nothing loose but its entry points", (room, names) => {
    const loose = paths.filter((path) => path.startsWith(`${room}/`) && path.split("/").length === 2);
    expect(loose.sort()).toEqual(names.map((name) => `${room}/${name}`));
  });
});

describe("the makers of the demo", () => {
  const isMaker = (path: string) => path.startsWith("tests/demo-makers/");
  const leans = (from: string, to: string) => imports.filter((one) => from === one.from && one.to.startsWith(to));

  it("are imported by nothing but the test that they still work", () => {
    const used = imports.filter(({ from, to }) => isMaker(to) && !isMaker(from));
    expect(new Set(used.map(({ from }) => from))).toEqual(new Set(["tests/demo-makers.test.ts"]));
  });

  it("import nothing of the product but its shared texts", () => {
    const makers = paths.filter(isMaker);
    expect(makers).not.toEqual([]);
    const needed = makers.flatMap((from) => ["server/", "client/", "db/"].flatMap((to) => leans(from, to)));
    expect(needed.filter(({ kind }) => kind !== "address").map(describeImport)).toEqual([]);
  });
});

describe("a forbidden import is found", () => {
  const place = "server/domains/lottery/place-bet.ts";

  it.each([
    ["server/domains/wallet/a.ts", `import { placeBet } from "#${place}";`],
    ["server/domains/wallet/a.ts", `import type { Placing } from "../lottery/place-bet.ts";`],
    ["server/domains/wallet/a.ts", `import { type Placing } from "#${place}";`],
    ["server/domains/wallet/a.ts", `type Placing = import("#${place}").Placing;`],
    ["server/domains/wallet/a.ts", `export * from "#${place}";`],
    ["server/domains/wallet/a.ts", `export { placeBet } from "#${place}";`],
    ["server/domains/wallet/a.ts", `const { placeBet } = await import("#${place}");`],
    ["server/domains/wallet/a.ts", `const thread = new URL("../lottery/place-bet.ts", import.meta.url);`],
    ["server/domains/wallet/a.ts", "const thread = new URL(`../lottery/${verb}-bet.ts`, import.meta.url);"],
    ["server/domains/wallet/a.ts", `import { keysOf } from "#server/config/keys.ts";`],
    ["server/domains/ledger/a.ts", `import { serve } from "#server/http/serve.ts";`],
    ["server/http/a.ts", `import { commands } from "#server/admin/commands.ts";`],
    ["db/a.ts", `import type { Deps } from "#server/app/deps.ts";`],
    ["shared/a.ts", `import "#db/connect.ts";`],
    ["server/demo/seed.ts", `import { CAST } from "../../tests/demo-makers/draw/cast.ts";`],
    ["client/a.ts", `import type { Deps } from "#server/app/deps.ts";`],
    ["client/machines/a.ts", `import { call } from "../api/call.ts";`],
  ])("in %s: %s", (path, text) => {
    expect(forbidden(importsOf([file(path, text), file(place, "")]))).toHaveLength(1);
  });

  it("but not in a comment or a text", () => {
    const text = `// import "#db/connect.ts";\nexport const text = 'import "#db/connect.ts"';`;
    expect(importsOf([file("shared/a.ts", text)])).toEqual([]);
  });
});
