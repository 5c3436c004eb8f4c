import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SETUP = new URL("../../server/setup.mjs", import.meta.url);
const DEV = { "node_modules/vite": { version: "8.0.0", integrity: "sha512-v", dev: true } };
const RUNS = { "node_modules/fastify": { version: "5.0.0", integrity: "sha512-f" } };
const OLDER = { "node_modules/fastify": { version: "4.0.0", integrity: "sha512-e" } };

let tree: string;
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
};
const lock = (packages: object) => JSON.stringify({ packages });

/** A tree whose lock file wants both packages. Where npm would run, a program notes what it was asked for. */
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "trio-setup-"));
  mkdirSync(join(tree, "server"));
  cpSync(SETUP, join(tree, "server/setup.mjs"));
  put("package-lock.json", lock({ "": {}, ...RUNS, ...DEV }));
  put("client/main.tsx", "// the app");
  put("programs/npm", `#!/bin/sh\necho "$@" >> "${tree}/asked"\n`);
  chmodSync(join(tree, "programs/npm"), 0o755);
});
afterEach(() => rmSync(tree, { recursive: true }));

function haveInstalled(packages: object): void {
  put("node_modules/.package-lock.json", lock(packages));
  mkdirSync(join(tree, "node_modules/.bin"));
  symlinkSync(process.execPath, join(tree, "node_modules/.bin/node"));
}

/** What stands in for the packages that build: each build makes a page. */
function haveVite(): void {
  put(
    "node_modules/vite/bin/vite.js",
    `const { mkdirSync, writeFileSync } = require("node:fs");
     const folder = process.argv[3] === "client" ? "dist" : "console/dist";
     mkdirSync(folder, { recursive: true });
     writeFileSync(folder + "/index.html", "built");`,
  );
}

function haveBuilt(stamp?: string): void {
  for (const page of ["dist/index.html", "console/dist/index.html"]) put(page, "built");
  if (stamp) put("dist/.stamp", stamp);
}

function setUp(...mode: string[]) {
  const env = { PATH: `${join(tree, "programs")}:/usr/bin:/bin` };
  const { status, stderr } = spawnSync(process.execPath, [join(tree, "server/setup.mjs"), ...mode], {
    env,
    encoding: "utf8",
  });
  const asked = join(tree, "asked");
  return { status, stderr, asked: existsSync(asked) ? readFileSync(asked, "utf8").trim() : null };
}

describe("a start without the packages for development", () => {
  it("serves what was built, and installs nothing", () => {
    haveInstalled(RUNS);
    haveBuilt();
    for (const mode of ["start", "run"]) expect(setUp(mode)).toEqual({ status: 0, stderr: "", asked: null });
  });

  it("says what to do where nothing was built", () => {
    haveInstalled(RUNS);
    const { status, stderr, asked } = setUp("start");
    expect([status, asked]).toEqual([1, null]);
    expect(stderr).toMatch(/not built[^]*`npm ci`[^]*`npm start`[^]*copy dist/);
  });

  it("says so where other sources were built, and serves them", () => {
    haveInstalled(RUNS);
    haveBuilt("of an older release");
    const { status, stderr, asked } = setUp("start");
    expect([status, asked]).toEqual([0, null]);
    expect(stderr).toContain("built from other sources");
  });

  it("installs what runs, and no more, where that is outdated", () => {
    haveInstalled(OLDER);
    haveBuilt();
    expect(setUp("start").asked).toMatch(/^ci --omit=dev /);
  });

  it("is no start for those who develop: they get everything", () => {
    haveInstalled(RUNS);
    expect(setUp().asked).toMatch(/^ci --include=dev /);
  });
});

describe("a start with every package", () => {
  it("builds both pages where they are missing, and not again", () => {
    haveInstalled({ ...RUNS, ...DEV });
    haveVite();
    expect(setUp("start")).toEqual({ status: 0, stderr: "", asked: null });
    for (const page of ["dist/index.html", "console/dist/index.html"]) {
      expect(readFileSync(join(tree, page), "utf8")).toBe("built");
      put(page, "kept");
    }
    setUp("start");
    expect(readFileSync(join(tree, "dist/index.html"), "utf8")).toBe("kept");
  });

  it("ends where a build fails, and builds anew the next time", () => {
    haveInstalled({ ...RUNS, ...DEV });
    put("node_modules/vite/bin/vite.js", "process.exit(3);");
    expect(setUp("build").status).toBe(1);
    expect(existsSync(join(tree, "dist/.stamp"))).toBe(false);
  });

  it("installs everything in a fresh clone", () => {
    expect(setUp("start").asked).toMatch(/^ci --include=dev /);
  });
});
