import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../../support/client.ts";
import { ServerProcess, TEN_SECONDS } from "../../support/server-process.ts";
import { ROOT } from "../../support/source-files.ts";

/* Others' tools, from the registry at these versions: together they are larger than all that the tests need else. */
const REDOCLY = "@redocly/cli@2.77.0";
const SPECTRAL = "@stoplight/spectral-cli@6.16.3";
const HEY_API = "@hey-api/openapi-ts@0.95.0";
/** The generator needs a compiler that programs can call; ours is none. */
const ITS_TYPESCRIPT = "typescript@5.9.3";

/** The site's code has no public licence to name. */
const REDOCLY_RULES = "extends: [recommended]\nrules:\n  info-license: off\n";
const SPECTRAL_RULES = 'extends: ["spectral:oas"]\n';

/** What a developer writes against the generated client. */
const PROGRAM = `
import { getLotteryGetLotteryInfo, postGamePlaceOrder, postMemberDoLogin } from "./client";
import { client } from "./client/client.gen";

const headers = { "x-data-encoding": "json" } as const;

export async function bet(baseUrl: string, username: string, password: string, key: string) {
  client.setConfig({ baseUrl });
  const { data: login } = await postMemberDoLogin({ body: { username, password }, headers });
  if (login?.code !== 200 || typeof login.data === "string") throw new Error(login?.msg);
  const token = btoa(login.data.token);
  client.setConfig({ auth: ({ name }) => (name === "token" ? token : undefined) });
  const { data: game } = await getLotteryGetLotteryInfo({ query: { key }, headers });
  if (game?.code !== 200 || typeof game.data === "string" || !game.data.next_expect) throw new Error(game?.msg);
  const order = { item: "A,10", money: 5, lid: game.data.id, expect: game.data.next_expect };
  const { data: placed } = await postGamePlaceOrder({
    body: order,
    headers: { ...headers, "idempotency-key": "first" },
  });
  const again = await postGamePlaceOrder({ body: { ...order, money: 6 }, headers: { "idempotency-key": "first" } });
  return { placed, again: again.data?.code };
}
`;

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  server = await ServerProcess.start();
  folder = mkdtempSync(join(tmpdir(), "trio-document-"));
  const response = await fetch(`${server.address}/docs/json`);
  writeFileSync(join(folder, "document.json"), await response.text());
  writeFileSync(join(folder, "redocly.yaml"), REDOCLY_RULES);
  writeFileSync(join(folder, "spectral.yaml"), SPECTRAL_RULES);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const TOOL_MS = 300_000;

/** Runs a program of a package. Returns what it wrote to its output. */
function run(packages: string[], ...words: string[]): Promise<string> {
  const wanted = packages.map((name) => `--package=${name}`);
  return new Promise((resolve, reject) => {
    execFile("npm", ["exec", "--yes", ...wanted, "--", ...words], { cwd: folder }, (error, out, said) => {
      if (error && out === "") reject(new Error(said, { cause: error }));
      else resolve(out);
    });
  });
}

describe("the API's document", () => {
  it(
    "has no error and no warning by Redocly's rules",
    async () => {
      const out = await run([REDOCLY], "redocly", "lint", "document.json", "--config=redocly.yaml", "--format=json");
      const { totals, problems } = JSON.parse(out) as { totals: object; problems: unknown[] };
      expect({ totals, problems }).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
    },
    TOOL_MS,
  );

  it(
    "has no error and no warning by Spectral's rules",
    async () => {
      const verdict = join(folder, "verdict.json");
      const rules = ["--ruleset=spectral.yaml", "--format=json", `--output=${verdict}`];
      await run([SPECTRAL], "spectral", "lint", "document.json", ...rules);
      expect(JSON.parse(readFileSync(verdict, "utf8"))).toEqual([]);
    },
    TOOL_MS,
  );

  it(
    "is enough to generate a client that compiles, logs in and places a bet",
    async () => {
      await run([HEY_API, ITS_TYPESCRIPT], "openapi-ts", "--input=document.json", "--output=program/client");
      const program = join(folder, "program");
      mkdirSync(program, { recursive: true });
      writeFileSync(join(program, "bet.ts"), PROGRAM);
      await compile(program);
      const username = "gina_1";
      const member = await new Client(server.address).register(username);
      await member.topUp(100);
      await member.openRound(TEN_SECONDS.key, 3_000);
      const { bet } = (await import(pathToFileURL(join(program, "bet.ts")).href)) as {
        bet: (...words: string[]) => Promise<unknown>;
      };
      expect(await bet(server.address, username, `${username} says`, TEN_SECONDS.key)).toMatchObject({
        placed: { code: 200, data: { total: "10.00", balance: "90.00" } },
        again: 409,
      });
    },
    TOOL_MS,
  );
});

/** Compiles the program with the project's own compiler, strictly. */
async function compile(folder: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["bet.ts"] }));
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], (error, out) =>
      error ? reject(new Error(out)) : resolve(),
    );
  });
}
