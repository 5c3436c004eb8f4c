import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderStorage } from "#server/storage/folder.ts";
import { withWebp } from "#server/storage/webp.ts";
import type { Storage } from "#server/storage/storage.ts";

let folder: string;
let plain: Storage;
let storage: Storage;
const red = () => sharp({ create: { width: 40, height: 30, channels: 3, background: "#c02010" } });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "webp-"));
  plain = folderStorage(folder);
  storage = withWebp(plain);
  await plain.put("pictures/p/one-40.avif", await red().avif().toBuffer());
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a missing WebP is made from the AVIF beside it on its first request, and stored", async () => {
  expect(await plain.find("pictures/p/one-40.webp")).toBeNull();
  const found = await storage.find("pictures/p/one-40.webp");
  const bytes = await buffer(found!.read());
  expect(found!.size).toBe(bytes.length);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 40, height: 30 });
  const { dominant } = await sharp(bytes).stats();
  expect(Math.abs(dominant.r - 0xc0)).toBeLessThan(24);
  expect(await buffer((await plain.find("pictures/p/one-40.webp"))!.read())).toEqual(bytes);
});

it("is served on a disk that takes nothing more", async () => {
  const full = withWebp({ ...plain, put: async () => Promise.reject(new Error("ENOSPC")) });
  const found = (await full.find("pictures/p/one-40.webp"))!;
  const bytes = await buffer(found.read());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 40, height: 30 });
  expect(found.size).toBe(bytes.length);
  expect(await buffer(found.read({ start: 2, end: 5 }))).toEqual(bytes.subarray(2, 6));
  expect(await plain.find("pictures/p/one-40.webp")).toBeNull();
});

it("whoever asks at the same time gets the same file", async () => {
  const found = await Promise.all(Array.from({ length: 8 }, () => storage.find("pictures/p/one-40.webp")));
  const written = new Set(found.map((file) => file!.writtenAt));
  expect(written.size).toBe(1);
});

it("an uploaded WebP stays as it is", async () => {
  const own = await red().webp({ lossless: true }).toBuffer();
  await storage.put("pictures/p/one-40.webp", own);
  expect(await buffer((await storage.find("pictures/p/one-40.webp"))!.read())).toEqual(own);
});

it("is in the list as soon as its AVIF is, once", async () => {
  const both = ["pictures/p/one-40.avif", "pictures/p/one-40.webp"];
  expect((await storage.list("pictures/p")).sort()).toEqual(both);
  await storage.find("pictures/p/one-40.webp");
  expect((await storage.list("pictures/p")).sort()).toEqual(both);
});

it("does not exist without its AVIF, nor among members' uploads", async () => {
  expect(await storage.find("pictures/p/two-40.webp")).toBeNull();
  await storage.remove("pictures/p/one-40.avif");
  expect(await storage.find("pictures/p/one-40.webp")).toBeNull();
  await storage.put("uploads/a.avif", await red().avif().toBuffer());
  expect(await storage.find("uploads/a.webp")).toBeNull();
  expect(await storage.list("uploads")).toEqual(["uploads/a.avif"]);
});

it("an invalid picture gets none, and does not stop the next", async () => {
  await plain.put("pictures/p/broken-40.avif", Buffer.from("no picture"));
  await expect(storage.find("pictures/p/broken-40.webp")).rejects.toThrow("unsupported image format");
  expect(await storage.find("pictures/p/one-40.webp")).not.toBeNull();
});
