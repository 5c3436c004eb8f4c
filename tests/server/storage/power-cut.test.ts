import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder, syncFolder } from "#db/durable.ts";
import { WorkFolder } from "#server/admin/video/work-folder.ts";
import { loadMasterKeys } from "#server/config/keys.ts";
import { folderStorage } from "#server/storage/folder.ts";
import { PowerCuts } from "../../support/power-cuts.ts";

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

function bytesFor(name: string, size = 3_000): Buffer {
  const bytes = randomBytes(size);
  contents.set(name, bytes);
  return bytes;
}

/** Puts a file as an upload does, and acknowledges it. */
async function put(cuts: PowerCuts, storage: ReturnType<typeof folderStorage>, name: string): Promise<void> {
  const place = join("data/files", name);
  const bytes = bytesFor(place);
  await storage.put(name, bytes);
  cuts.acknowledge(place, bytes);
}

describe("a file of the storage survives a power cut", () => {
  it("in new folders", async () => {
    using cuts = await watch();
    const storage = folderStorage(join(root, "data/files"));
    for (const name of ["uploads/a.webp", "videos/v1/a.m4s", "videos/v1/deep/b.m4s", "videos/v2/a.m4s"])
      await put(cuts, storage, name);
    expect(cuts.faults).toEqual([]);
    expect(cuts.images).toBeGreaterThan(50);
  });

  it("among many that are put at once, into the same new folders", async () => {
    using cuts = await watch();
    const storage = folderStorage(join(root, "data/files"));
    const names = Array.from({ length: 60 }, (_, i) => `videos/v${i % 3}/${i}.m4s`);
    await Promise.all(names.map((name) => put(cuts, storage, name)));
    expect(cuts.faults).toEqual([]);
    expect(cuts.images).toBeGreaterThan(500);
  });

  it("as a copy of a large file", async () => {
    using cuts = await watch();
    const source = join(dirname(root), `${randomBytes(6).toString("hex")}.source`);
    const bytes = bytesFor("data/files/videos/v/large.m4s", 3_000_000);
    writeFileSync(source, bytes);
    await folderStorage(join(root, "data/files")).put("videos/v/large.m4s", { file: source });
    rmSync(source);
    cuts.acknowledge("data/files/videos/v/large.m4s", bytes);
    expect(cuts.faults).toEqual([]);
  });

  it("in folders of a process that was killed before it synced them", async () => {
    using cuts = await watch();
    mkdirSync(join(root, "data/files/videos/v1"), { recursive: true });
    await put(cuts, folderStorage(join(root, "data/files")), "videos/v1/a.m4s");
    expect(cuts.faults).toEqual([]);
  });

  it("in a folder that was removed and made again, by this process or another", async () => {
    using cuts = await watch();
    const storage = folderStorage(join(root, "data/files"));
    await put(cuts, storage, "videos/v1/a.m4s");
    cuts.release("data/files/videos/v1/a.m4s");
    await storage.remove("videos/v1/");
    await syncFolder(join(root, "data/files/videos"));
    await put(cuts, storage, "videos/v1/b.m4s");
    cuts.release("data/files/videos/v1/b.m4s");
    rmSync(join(root, "data/files/videos"), { recursive: true });
    await syncFolder(join(root, "data/files"));
    await put(cuts, storage, "videos/v1/c.m4s");
    expect(cuts.faults).toEqual([]);
  });
});

const KEY = "site/data/master.key";

describe("the master key survives a power cut", () => {
  const watchKey = () =>
    PowerCuts.in(root, {
      isDraft: (file) => file !== KEY,
      isWhole: (_, bytes) => /^[0-9a-f]{64}\n$/.test(bytes.toString()),
    });
  async function load(cuts: PowerCuts): Promise<string> {
    const data = dirname(join(root, KEY));
    await makeFolder(data);
    const key = Buffer.from((await loadMasterKeys(undefined, data, true))[0]!.master).toString("hex");
    cuts.acknowledge(KEY, Buffer.from(`${key}\n`));
    return key;
  }

  it("from its first use on, and servers that start at once use the same", async () => {
    using cuts = await watchKey();
    const keys = await Promise.all(Array.from({ length: 8 }, () => load(cuts)));
    expect(new Set(keys).size).toBe(1);
    expect([cuts.faults, readdirSync(dirname(join(root, KEY)))]).toEqual([[], ["master.key"]]);
    expect(statSync(join(root, KEY)).mode & 0o777).toBe(0o600);
  });

  it("though a server that was killed had just made it", async () => {
    using cuts = await watchKey();
    mkdirSync(dirname(join(root, KEY)), { recursive: true });
    const draft = join(root, "site/data/draft");
    {
      await using file = await open(draft, "wx");
      await file.writeFile(`${"ab".repeat(32)}\n`);
      await file.sync();
    }
    await rename(draft, join(root, KEY));
    expect(await load(cuts)).toBe("ab".repeat(32));
    expect(cuts.faults).toEqual([]);
  });
});

describe("a completed step of an import", () => {
  it("has all its files after a power cut", async () => {
    const place = `imports/${"0".repeat(64)}`;
    using cuts = await PowerCuts.in(root, {
      isDraft: (name) => !name.startsWith(`${place}/720p/`),
      isWhole: (name, bytes) => contents.get(name)!.equals(bytes),
    });
    const work = await WorkFolder.enter(root, "0".repeat(64));
    await work.once("720p", async (folder) => {
      mkdirSync(join(folder, "deep"));
      for (const name of ["a.m4s", "deep/b.m4s"]) writeFileSync(join(folder, name), bytesFor(`${place}/720p/${name}`));
    });
    const word = await work.remember("folder", () => "videos/v");
    cuts.acknowledge(`${place}/folder`, Buffer.from(`${word}\n`));
    expect(cuts.faults).toEqual([]);
  });
});
