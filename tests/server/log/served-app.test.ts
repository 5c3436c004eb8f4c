import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appLeaf, readApp, stateApp, type ServedApp } from "#server/domains/log/served-app.ts";
import { servedFaults } from "#server/verify/served.ts";
import { parseServed, servedHash } from "#shared/log/served-files.ts";
import { problemsOf } from "../../support/audited.ts";
import { world, type World } from "../../support/world.ts";
import { leavesOf } from "./read-log.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-served-"));
  mkdirSync(join(folder, "assets"));
  for (const name of ["index.html", "index.ko.html", "check.html", "assets/a-1.js", "assets/a-1.js.br", ".stamp"])
    writeFileSync(join(folder, name), `content of ${name}`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const app = async (): Promise<ServedApp> => (await readApp(folder))!;

describe("what is served as the app", () => {
  it("is listed by name and hash, without compressed copies and what a build notes for itself", async () => {
    const { text, files, page } = await app();
    expect(servedHash(text)).toBe(files);
    const list = parseServed(text)!;
    expect(list.map(({ path }) => path)).toEqual(["assets/a-1.js", "check.html", "index.html", "index.ko.html"]);
    expect(list[1]!.hash).toBe(page);
    for (const spoilt of [
      text.slice(1),
      `${text}x\n`,
      text.replace("index", "../index"),
      text.split("\n").reverse().join("\n"),
    ])
      expect(parseServed(spoilt)).toBe(null);
  });

  it("is nothing where nothing was built", async () => {
    expect(await readApp(join(folder, "assets"))).toBe(null);
  });
});

describe("the log", () => {
  let w: World;
  beforeEach(async () => {
    w = await world();
    await w.game();
  });
  afterEach(() => w.close());

  const state = (served: ServedApp) => w.deps.db.transact((tx) => stateApp(tx, served, w.now()));
  const stated = async () => (await leavesOf(w)).filter((leaf) => leaf.kind === "app");

  it("says what is served once, whoever starts, and again when that changes", async () => {
    const served = await app();
    await Promise.all([state(served), state(served), state(served)]);
    await w.site.publicLog.advance();
    expect(await stated()).toEqual([appLeaf({ ...served, createdAt: w.now() })]);
    await w.restart();
    await state(served);
    writeFileSync(join(folder, "assets/a-1.js"), "another");
    const other = await app();
    await state(other);
    await state(served);
    await w.site.publicLog.advance();
    expect((await stated()).map(({ files }) => files)).toEqual([served, other, served].map(({ files }) => files));
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a stranger compares what is served with the log", () => {
  let server: Server;
  let site: string;
  let lies: Record<string, string>;
  beforeEach(async () => {
    lies = {};
    server = createServer(({ url, headers }, response) => {
      const start = headers["accept-language"] === "ko" ? "index.ko.html" : "index.html";
      const path = url === "/" ? start : url!.slice(1);
      response.end(lies[path] ?? readFileSync(join(folder, path)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function faults(text?: string) {
    const served = await app();
    const files = { read: async () => new TextEncoder().encode(text ?? served.text) };
    return servedFaults(site, files, appLeaf({ ...served, createdAt: 1 }));
  }

  it("and finds nothing where they agree", async () => {
    expect(await faults()).toEqual([]);
  });

  it.each(["index.html", "index.ko.html", "check.html", "assets/a-1.js"])(
    "and names %s where it differs",
    async (path) => {
      lies[path] = "always genuine";
      expect(await faults()).toEqual([`${path} is served otherwise than the log says.`]);
    },
  );

  it("and takes no other list", async () => {
    const { text } = await app();
    const says = ["The list of what is served does not have the hash of the log."];
    expect(await faults(text.split("\n").slice(1).join("\n"))).toEqual(says);
    expect(await faults("nothing")).toEqual(says);
  });

  it("and names an offline page that is not the one of the leaf", async () => {
    const served = await app();
    const files = { read: async () => new TextEncoder().encode(served.text) };
    const leaf = appLeaf({ ...served, page: "ab".repeat(32), createdAt: 1 });
    expect(await servedFaults(site, files, leaf)).toEqual(["check.html does not have the hash of the log."]);
  });
});
