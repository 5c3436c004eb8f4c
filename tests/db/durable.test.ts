import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import promises, { mkdir, open, rename } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder, syncFolder, takeFreeName, writeDurably } from "#db/durable.ts";
import { PowerCuts } from "../support/power-cuts.ts";

let root: string;
const contents = new Map<string, Buffer>();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trio-power-"));
  contents.clear();
});
afterEach(() => rmSync(root, { recursive: true }));

const watch = () =>
  PowerCuts.in(root, {
    isDraft: (name) => name.endsWith(".draft"),
    isWhole: (name, bytes) => contents.get(name)?.equals(bytes) ?? false,
  });

function bytesFor(name: string): Buffer {
  const bytes = randomBytes(3_000);
  contents.set(name, bytes);
  return bytes;
}

describe("a name that is taken only where it is free", () => {
  it("is never taken from another file, and the draft is removed", async () => {
    const file = join(root, "one");
    const tries = Array.from({ length: 20 }, (_, i) => writeDurably(file, `content ${i}`, takeFreeName));
    const settled = await Promise.allSettled(tries);
    const won = settled.findIndex(({ status }) => status === "fulfilled");
    const refused = settled.map((one) => (one.status === "rejected" ? (one.reason as { code?: string }).code : null));
    expect(refused.filter((code) => code === "EEXIST")).toHaveLength(tries.length - 1);
    expect([readFileSync(file, "utf8"), readdirSync(root)]).toEqual([`content ${won}`, ["one"]]);
  });

  it("also where there are no hard links", async () => {
    const { link } = promises;
    promises.link = () => Promise.reject(Object.assign(new Error("no links here"), { code: "EPERM" }));
    syncBuiltinESMExports();
    try {
      await writeDurably(join(root, "one"), "first", takeFreeName);
      const second = writeDurably(join(root, "one"), "second", takeFreeName);
      await expect(second).rejects.toMatchObject({ code: "EEXIST" });
      expect([readFileSync(join(root, "one"), "utf8"), readdirSync(root)]).toEqual(["first", ["one"]]);
    } finally {
      promises.link = link;
      syncBuiltinESMExports();
    }
  });
});

describe("a power cut reveals", () => {
  const place = () => join(root, "a");
  async function write({ sync }: { sync: boolean }) {
    await using file = await open(`${place()}.draft`, "wx");
    await file.writeFile(bytesFor("a"));
    if (sync) await file.sync();
  }

  it("a name that was not synced", async () => {
    using cuts = await watch();
    await write({ sync: true });
    await rename(`${place()}.draft`, place());
    cuts.acknowledge("a", contents.get("a")!);
    expect(cuts.faults).toEqual(["only what was synced: a was acknowledged and is gone"]);
  });

  it("bytes that were not synced before their name", async () => {
    using cuts = await watch();
    await write({ sync: false });
    await rename(`${place()}.draft`, place());
    await syncFolder(root);
    expect(cuts.faults).toEqual(["every name: a is not whole", "only what was synced: a is not whole"]);
  });

  it("a new folder that its parent does not have", async () => {
    using cuts = await watch();
    await mkdir(join(root, "new"));
    await writeDurably(join(root, "new/b"), bytesFor("new/b"));
    cuts.acknowledge("new/b", contents.get("new/b")!);
    expect(cuts.faults).toEqual(["only what was synced: new/b was acknowledged and is gone"]);
    await makeFolder(join(root, "new"));
    cuts.faults.length = 0;
    cuts.happened();
    expect(cuts.faults).toEqual([]);
  });
});
