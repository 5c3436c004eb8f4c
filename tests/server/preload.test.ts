import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const PRELOAD = new URL("../../server/preload.mjs", import.meta.url).href;
const cwd = new URL("../../", import.meta.url);

const run = (code: string, ...first: string[]): unknown =>
  JSON.parse(execFileSync(process.execPath, [...first, "--input-type=module", "-e", code], { cwd, encoding: "utf8" }));

/** Resolves names by import and by require, and reads the packages' contents. */
const LOOK_UP = `
  import { createRequire } from "node:module";
  const names = ["drizzle-orm", "drizzle-orm/sqlite-core", "#shared/time.ts", "./shared/time.ts", "fastify", "zod"];
  const required = createRequire(import.meta.url);
  const held = await Promise.all(names.map(async (name) => Object.keys(await import(name))));
  console.log(JSON.stringify([names.map((name) => [import.meta.resolve(name), required.resolve(name)]), held]));
`;

/** Counts what is left to Node: the latest hook is asked first. */
const asked = (named: string, ...imports: string[]) => `
  import { registerHooks } from "node:module";
  let asked = 0;
  registerHooks({
    resolve(name, context, next) {
      if (${named}) asked++;
      return next(name, context);
    },
  });
  await import(${JSON.stringify(PRELOAD)});
  for (const name of ${JSON.stringify(imports)}) await import(name);
  console.log(asked);
`;

/** Names the packages that are loaded before a server starts. */
const PACKAGES = `
  import { registerHooks } from "node:module";
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add(/node_modules\\/((@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  const { chooseDialect } = await import("#db/dialect.ts");
  chooseDialect("sqlite:trio.db");
  await import("#server/config/config.ts");
  await import("#server/app/start.ts");
  console.log(JSON.stringify([...packages]));
  process.exit();
`;

describe("the preload of a program", () => {
  it("finds the very files that Node finds by itself", () => {
    expect(run(LOOK_UP, "--import", PRELOAD)).toEqual(run(LOOK_UP));
  });

  it("reads drizzle's package.json once for each of its names, and not for its hundreds of files", () => {
    const names = '(name + context.parentURL).includes("drizzle")';
    expect(run(asked(names, "drizzle-orm/sqlite-core"))).toBe(1);
  });

  it("looks none of the project's own sources up, and no package twice", () => {
    const contracts = ["#shared/contract/wallet.ts", "./shared/contract/wheel.ts"];
    expect(run(asked('name.endsWith(".ts")', ...contracts))).toBe(0);
    expect(run(asked('name.startsWith("zod") && !context.parentURL.includes("node_modules")', ...contracts))).toBe(1);
  });

  it("says which file there is not", () => {
    const code = 'await import("#shared/none.ts").catch((error) => console.log(JSON.stringify(error.message)))';
    expect(run(code, "--import", PRELOAD)).toContain("shared/none.ts");
  });

  it("is in every script that starts a program for members or the operator", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("package.json", cwd), "utf8")) as {
      scripts: Record<string, string>;
    };
    const starts = ["start", "dev", "admin", "verify"].map((name) => scripts[name]);
    for (const script of starts) expect(script).toMatch(/^exec node --import \.\/server\/preload\.mjs /);
  });
});

describe("a start", () => {
  it("loads no package that only some sites need, or only some calls", () => {
    const packages = run(PACKAGES, "--import", PRELOAD) as string[];
    expect(packages).toContain("fastify");
    const LATER = new Set([
      "@aws-sdk/client-s3",
      "@noble/curves",
      "@simplewebauthn/server",
      "age-encryption",
      "jose",
      "sanitize-html",
      "sharp",
      "stripe",
    ]);
    expect(packages.filter((name) => LATER.has(name))).toEqual([]);
  });
});
