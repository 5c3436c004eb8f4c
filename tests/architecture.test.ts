import { describe, expect, it } from "vitest";
import { importsOf, reachedFrom, UNTOLD, type Import } from "./support/imports.ts";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";

const files = readSourceFiles();
const paths = files.map(({ path }) => path);
const imports = importsOf(files);
const file = (path: string, text: string): SourceFile => ({ path, text });
const told = ({ from, specifier, kind }: Import) => `${from} imports ${specifier}${kind === "type" ? " (a type)" : ""}`;

/** What a layer may import besides itself, by the beginning of the path. `types`: as a type only. */
interface Layer {
  may: string[];
  types?: string[];
}
const BASE = "server/domains/ledger + account";
const EVERYTHING = ["shared/", "db/", "server/", "client/", "locales/"];
const LAYERS: Record<string, Layer> = {
  shared: { may: [] },
  db: { may: ["shared/"] },
  [BASE]: { may: ["shared/", "db/", "server/app/deps.ts"] },
  "a domain": {
    may: [
      "shared/",
      "db/",
      "server/app/deps.ts",
      "server/http/envelope.ts",
      "server/http/serve.ts",
      "server/http/serve-file.ts",
      "server/domains/ledger/",
      "server/domains/account/",
    ],
    types: ["server/config/keys.ts", "server/http/replay.ts", "server/storage/storage.ts"],
  },
  "server/admin": { may: ["shared/", "db/", "server/"] },
  "server/bench": { may: ["shared/", "db/", "server/"] },
  server: { may: ["shared/", "db/", "server/domains/", "locales/"] },
  "client/machines": { may: ["shared/"] },
  client: { may: ["shared/", "locales/", "client/"] },
  tests: { may: EVERYTHING },
};

/** The layer of a file: its folder, each domain a layer of its own but the two base rooms, which are one. */
function layerOf(path: string): string {
  const domain = /^server\/domains\/([^/]+)\//.exec(path)?.[1];
  if (domain) return domain === "ledger" || domain === "account" ? BASE : `server/domains/${domain}`;
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

/** Nobody leans on the operator's commands or the benchmarks: they are where programs start. */
const isDeadEnd = (to: string) => /^server\/(admin|bench)\//.test(to);
const forbidden = (imports: Import[]) => imports.filter((one) => !isAllowed(one)).map(told);

describe("imports", () => {
  it("run one way through the layers", () => {
    expect(forbidden(imports.filter(({ from }) => !from.startsWith("tests/")))).toEqual([]);
  });

  it("never lead back to where they came from", () => {
    const values = imports.filter(({ kind }) => kind === "value");
    const next = (path: string) => values.filter(({ from, ours }) => ours && from === path).map(({ to }) => to);
    expect(paths.filter((path) => reachedFrom(next(path), values).has(path))).toEqual([]);
  });

  it("climb by name: siblings and what lies below are relative, everything else begins with #", () => {
    const climbing = imports.filter(({ specifier, kind }) => specifier.startsWith("../") && kind !== "address");
    expect(climbing.filter(({ from }) => !from.startsWith("tests/")).map(told)).toEqual([]);
  });

  it("can all be told before the program runs", () => {
    const untold = imports.filter(({ from, specifier }) => specifier === UNTOLD && !from.startsWith("tests/"));
    expect(untold.map(told)).toEqual([]);
  });

  it("bring nothing of Node into what browsers run", () => {
    const browser = /^(shared|client)\/(?!vite\.config\.ts)/;
    expect(imports.filter(({ from, to }) => browser.test(from) && to.startsWith("node:")).map(told)).toEqual([]);
  });

  it("bring socket.io to the hub alone, and the screens' library to no machine", () => {
    const hub = imports.filter(({ from, to }) => to === "socket.io" && !/^(server\/realtime|tests)\//.test(from));
    const screens = imports.filter(({ from, to }) => to.startsWith("react") && from.startsWith("client/machines/"));
    expect([...hub, ...screens].map(told)).toEqual([]);
  });
});

describe("the makers of the demo", () => {
  const isMaker = (path: string) => path.startsWith("tests/demo-makers/");
  const leans = (from: string, to: string) => imports.filter((one) => from === one.from && one.to.startsWith(to));

  it("are imported by nothing but the test that they still work", () => {
    const used = imports.filter(({ from, to }) => isMaker(to) && !isMaker(from));
    expect(new Set(used.map(({ from }) => from))).toEqual(new Set(["tests/demo-makers.test.ts"]));
  });

  it("need nothing of the product but its shared words", () => {
    const makers = paths.filter(isMaker);
    expect(makers).not.toEqual([]);
    const needed = makers.flatMap((from) => ["server/", "client/", "db/"].flatMap((to) => leans(from, to)));
    expect(needed.filter(({ kind }) => kind !== "address").map(told)).toEqual([]);
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

  it("and a comment or a text is none", () => {
    const text = `// import "#db/connect.ts";\nexport const text = 'import "#db/connect.ts"';`;
    expect(importsOf([file("shared/a.ts", text)])).toEqual([]);
  });
});
