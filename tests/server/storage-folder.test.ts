import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderStorage } from "#server/storage-folder.ts";
import type { Storage } from "#server/storage.ts";

let root: string;
let storage: Storage;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trio-files-"));
  storage = folderStorage(join(root, "files"));
});
afterEach(() => rmSync(root, { recursive: true }));

const HELLO = Buffer.from("hello");
const read = async (name: string, part?: { start: number; end: number }) => {
  const file = await storage.find(name);
  return file && (await buffer(file.read(part))).toString();
};

describe("a stored file", () => {
  it("is found with its size, its age, its bytes and any part of them", async () => {
    await storage.put("uploads/a.webp", HELLO);
    expect(await read("uploads/a.webp")).toBe("hello");
    expect(await read("uploads/a.webp", { start: 1, end: 3 })).toBe("ell");
    const file = await storage.find("uploads/a.webp");
    expect(file!.size).toBe(5);
    expect(Math.abs(file!.writtenAt - Date.now())).toBeLessThan(60_000);
  });

  it("is read by nobody else on the machine", async () => {
    await storage.put("uploads/a.webp", HELLO);
    expect(statSync(join(root, "files/uploads/a.webp")).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "files/uploads")).mode & 0o777).toBe(0o700);
  });

  it("is there whole or not at all", async () => {
    await Promise.all(Array.from({ length: 20 }, () => storage.put("uploads/a.webp", HELLO)));
    expect(readdirSync(join(root, "files/uploads"))).toEqual(["a.webp"]);
    mkdirSync(join(root, "files/taken"), { recursive: true });
    writeFileSync(join(root, "files/taken/x"), "");
    await expect(storage.put("taken", HELLO)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(join(root, "files")).toSorted()).toEqual(["taken", "uploads"]);
  });

  it("is gone once it is removed, alone or with its folder; what is not there is no error", async () => {
    for (const name of ["videos/v1/a.ts", "videos/v1/b.ts", "videos/v2.ts"]) await storage.put(name, HELLO);
    await storage.remove("videos/v2.ts");
    await storage.remove("videos/v2.ts");
    expect(await storage.find("videos/v2.ts")).toBeNull();
    await storage.remove("videos/v1/");
    expect(await storage.find("videos/v1/a.ts")).toBeNull();
    await storage.remove("never/was/");
  });

  it.each([
    "../outside",
    "/etc/passwd",
    "a/../../outside",
    ".hidden",
    "a/.hidden",
    "a//b",
    "a\\b",
    "a\u0000b",
    "",
    "a.b.c",
  ])("cannot be called %j", async (name) => {
    writeFileSync(join(root, "outside"), "secret");
    expect(await storage.find(name)).toBeNull();
    await expect((async () => storage.put(name, HELLO))()).rejects.toThrow("no name of a stored file");
    await expect((async () => storage.remove(name))()).rejects.toThrow("no name of a stored file");
    expect(readdirSync(root)).toContain("outside");
  });

  it("is no folder", async () => {
    await storage.put("a/b.webp", HELLO);
    expect(await storage.find("a")).toBeNull();
  });
});

describe("a folder", () => {
  it("lists its files, and only its own", async () => {
    expect(await storage.list("uploads")).toEqual([]);
    for (const name of ["uploads/a.webp", "uploads/b.webp", "uploads/deep/c.webp", "pictures/d.webp"])
      await storage.put(name, HELLO);
    expect((await storage.list("uploads")).toSorted()).toEqual(["uploads/a.webp", "uploads/b.webp"]);
  });

  it("that cannot be read is an error, not an empty one", async () => {
    writeFileSync(join(root, "files"), "");
    await expect(storage.list("uploads")).rejects.toThrow("ENOTDIR");
  });
});
