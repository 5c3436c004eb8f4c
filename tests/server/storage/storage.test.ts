import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { folderStorage } from "#server/storage/folder.ts";
import { s3Storage } from "#server/storage/s3.ts";
import type { Part, Storage } from "#server/storage/storage.ts";
import { S3Server } from "../../support/s3-server.ts";

let root: string;
let s3: S3Server;
let places = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "trio-storage-"));
  s3 = await S3Server.start();
});
afterAll(async () => {
  await s3.close();
  rmSync(root, { recursive: true });
});

const HELLO = Buffer.from("hello");
const KINDS: [string, (place: string) => Storage][] = [
  ["a folder", (place) => folderStorage(join(root, place))],
  ["a bucket", (place) => s3Storage(s3.place(place))],
];

describe.each(KINDS)("a file stored in %s", (_kind, open) => {
  let storage: Storage;
  let place: string;

  beforeEach(() => {
    place = `place${++places}`;
    storage = open(place);
  });

  const bytesOf = async (name: string, part?: { start: number; end: number }) => {
    const file = await storage.find(name);
    return file && buffer(file.read(part));
  };
  const read = async (...asked: Parameters<typeof bytesOf>) => (await bytesOf(...asked))?.toString() ?? null;

  it("is found with its size, its age, its bytes and any part of them", async () => {
    await storage.put("uploads/a.webp", HELLO);
    expect(await read("uploads/a.webp")).toBe("hello");
    expect(await read("uploads/a.webp", { start: 1, end: 3 })).toBe("ell");
    expect(await read("uploads/a.webp", { start: 4, end: 4 })).toBe("o");
    const pieces = async (part?: Part) => text((await storage.find("uploads/a.webp"))!.pieces(part));
    expect([await pieces(), await pieces({ start: 1, end: 3 })]).toEqual(["hello", "ell"]);
    const file = await storage.find("uploads/a.webp");
    expect(file!.size).toBe(5);
    expect(Math.abs(file!.writtenAt - Date.now())).toBeLessThan(60_000);
    expect(await open(place).find("uploads/a.webp")).toMatchObject({ size: 5 });
  });

  it("is not there before it is put, nor elsewhere", async () => {
    expect(await storage.find("uploads/a.webp")).toBeNull();
    await storage.put("uploads/a.webp", HELLO);
    for (const name of ["uploads/b.webp", "uploads/a", "uploads", "uploads/", "a.webp"])
      expect(await storage.find(name)).toBeNull();
    expect(await open(`${place}b`).find("uploads/a.webp")).toBeNull();
  });

  it.each([0, 1, 100_000, 20_000_001])("is the same as the copied file of %d bytes", async (size) => {
    const file = join(root, "source");
    const bytes = randomBytes(size);
    writeFileSync(file, bytes);
    await storage.put("videos/v1/a.m4s", { file });
    expect(bytes.equals((await bytesOf("videos/v1/a.m4s"))!)).toBe(true);
    const found = (await storage.find("videos/v1/a.m4s"))!;
    expect(found.size).toBe(size);
    const hash = createHash("sha256");
    for await (const piece of found.pieces()) hash.update(piece);
    expect(hash.digest()).toEqual(createHash("sha256").update(bytes).digest());
    expect(await storage.list("videos/v1")).toEqual(["videos/v1/a.m4s"]);
  });

  it("is there whole or not at all", async () => {
    await Promise.all(Array.from({ length: 20 }, () => storage.put("uploads/a.webp", HELLO)));
    expect(await storage.list("uploads")).toEqual(["uploads/a.webp"]);
    await expect(storage.put("uploads/b.webp", { file: join(root, "none") })).rejects.toThrow("ENOENT");
    expect(await storage.list("uploads")).toEqual(["uploads/a.webp"]);
  });

  it("is gone once it is removed, alone or with its folder; removing a missing one is no error", async () => {
    const names = ["videos/v1/a.ts", "videos/v1/b.ts", "videos/v1/deep/c.ts", "videos/v11/d.ts", "videos/v2.ts"];
    for (const name of names) await storage.put(name, HELLO);
    await storage.remove("videos/v2.ts");
    await storage.remove("videos/v2.ts");
    expect(await storage.find("videos/v2.ts")).toBeNull();
    await storage.remove("videos/v1/");
    for (const name of names.slice(0, 3)) expect(await storage.find(name)).toBeNull();
    expect(await read("videos/v11/d.ts")).toBe("hello");
    await storage.remove("videos/never/");
    await storage.remove("never/was.ts");
  });

  it("is listed with its folder's own, and nothing else", async () => {
    expect(await storage.list("uploads")).toEqual([]);
    const names = ["uploads/a.webp", "uploads/b.webp", "uploads/deep/c.webp", "uploads2/d.webp", "pictures/e.webp"];
    for (const name of names) await storage.put(name, HELLO);
    expect((await storage.list("uploads")).toSorted()).toEqual(["uploads/a.webp", "uploads/b.webp"]);
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
  ])("cannot be named %j", async (name) => {
    await open("").put("outside", HELLO);
    expect(await storage.find(name)).toBeNull();
    await expect((async () => storage.put(name, HELLO))()).rejects.toThrow("not the name of a stored file");
    await expect((async () => storage.remove(name))()).rejects.toThrow("not the name of a stored file");
    expect(await open("").find("outside")).not.toBeNull();
  });

  it("is no folder", async () => {
    await storage.put("a/b.webp", HELLO);
    expect(await storage.find("a")).toBeNull();
    await expect((async () => storage.put("a/", HELLO))()).rejects.toThrow("not the name of a stored file");
  });

  it("is read as slowly as its reader likes, and closed when its reader leaves", async () => {
    const bytes = randomBytes(3_000_000);
    await storage.put("videos/a.m4s", bytes);
    const slow = (await storage.find("videos/a.m4s"))!.read();
    const pieces: Buffer[] = [];
    for await (const piece of slow as AsyncIterable<Buffer>) {
      if (pieces.push(piece) % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    for await (const _ of (await storage.find("videos/a.m4s"))!.read()) break;
    expect(bytes.subarray(0, 3).equals((await bytesOf("videos/a.m4s", { start: 0, end: 2 }))!)).toBe(true);
  });
});
