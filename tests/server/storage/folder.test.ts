import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderStorage } from "#server/storage/folder.ts";
import { StorageAway, type Storage } from "#server/storage/storage.ts";

/** Folders alone; storage.test.ts has what holds for every storage. */
let root: string;
let storage: Storage;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trio-files-"));
  storage = folderStorage(join(root, "files"));
});
afterEach(() => rmSync(root, { recursive: true }));

const HELLO = Buffer.from("hello");

describe("a file in a folder", () => {
  it("is unreadable to others on the machine", async () => {
    await storage.put("uploads/a.webp", HELLO);
    expect(statSync(join(root, "files/uploads/a.webp")).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "files/uploads")).mode & 0o777).toBe(0o700);
  });

  it("leaves nothing beside it, whether it was written or not", async () => {
    await Promise.all(Array.from({ length: 20 }, () => storage.put("uploads/a.webp", HELLO)));
    expect(readdirSync(join(root, "files/uploads"))).toEqual(["a.webp"]);
    mkdirSync(join(root, "files/taken"), { recursive: true });
    writeFileSync(join(root, "files/taken/x"), "");
    await expect(storage.put("taken", HELLO)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(join(root, "files")).toSorted()).toEqual(["taken", "uploads"]);
  });

  it("is asked for in vain where the place cannot be used, and that is no missing file", async () => {
    await storage.put("uploads/a.webp", HELLO);
    symlinkSync("loop", join(root, "files/loop"));
    await expect(storage.put("loop/a.webp", HELLO)).rejects.toThrow(StorageAway);
    await expect(storage.find("loop/a.webp")).rejects.toThrow(StorageAway);
    await expect(storage.list("loop")).rejects.toThrow(StorageAway);
    expect(await storage.find("uploads/a.webp/b.webp")).toBeNull();
    expect(await storage.find(`uploads/${"a".repeat(300)}.webp`)).toBeNull();
  });

  it.each(["../outside", "a/../../outside"])("cannot be outside of it with the name %j", async (name) => {
    writeFileSync(join(root, "outside"), "secret");
    expect(await storage.find(name)).toBeNull();
    await expect((async () => storage.remove(name))()).rejects.toThrow("not the name of a stored file");
    expect(readdirSync(root)).toContain("outside");
  });
});

describe("a folder", () => {
  it("that cannot be read is an error, not an empty one", async () => {
    writeFileSync(join(root, "files"), "");
    await expect(storage.list("uploads")).rejects.toThrow("ENOTDIR");
  });
});
