import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { TIMEOUTS, type Timeouts } from "#server/storage/s3-bucket.ts";
import { checkBucket, s3Storage } from "#server/storage/s3.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { S3Server } from "../../support/s3-server.ts";

/** Buckets alone; storage.test.ts has what holds for every storage. */
const LARGE = 40_000_000;
/** Longer than a bucket on a busy machine takes for a piece. */
const STALL_MS = 2_000;
const STALLING: Timeouts = { ...TIMEOUTS, stallMs: STALL_MS };
const HASTE: Timeouts = { connectMs: 500, answerMs: 200, callMs: 1_000, sendMs: 1_000, stallMs: STALL_MS };
const HELLO = Buffer.from("hello");

let root: string;
let s3: S3Server;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "trio-pieces-"));
  s3 = await S3Server.start();
  writeFileSync(join(root, "large"), randomBytes(LARGE));
});
afterEach(() => {
  s3.trouble = null;
});
afterAll(async () => {
  await s3.close();
  rmSync(root, { recursive: true });
});

const open = (place = "club", patience = TIMEOUTS) => s3Storage(s3.place(place), patience);
const large = () => open().put("videos/large.m4s", { file: join(root, "large") });
const reading = async (name: string, patience = TIMEOUTS) => (await open("club", patience).find(name))!.read();
const lengthOf = async (file: NodeJS.ReadableStream) => (await buffer(file)).length;
const last = () => s3.asked.at(-1)!;

describe("a bucket", () => {
  it("lists and empties a folder with more files than one answer lists", async () => {
    const storage = open("many");
    const names = Array.from({ length: 1_005 }, (_, i) => `uploads/${String(i).padStart(5, "0")}.webp`);
    for (let from = 0; from < names.length; from += 50)
      await Promise.all(names.slice(from, from + 50).map((name) => storage.put(name, HELLO)));
    await storage.put("uploads2/a.webp", HELLO);
    expect((await storage.list("uploads")).toSorted()).toEqual(names);
    await storage.remove("uploads/");
    expect(await storage.list("uploads")).toEqual([]);
    expect(await storage.list("uploads2")).toEqual(["uploads2/a.webp"]);
  });

  it("takes a large file in parts, and shows nothing of an unfinished one", async () => {
    s3.asked.length = 0;
    await large();
    expect(s3.asked.filter(({ path }) => path.includes("partNumber="))).toHaveLength(5);
    s3.trouble = ({ url }, response) => {
      const isThird = url!.includes("partNumber=3");
      if (isThird) response.writeHead(500).end();
      return isThird;
    };
    await expect(open().put("videos/half.m4s", { file: join(root, "large") })).rejects.toThrow("HTTP 500");
    expect(await open().find("videos/half.m4s")).toBeNull();
    const aborted = s3.asked.filter(({ method, path }) => method === "DELETE" && path.includes("uploadId="));
    expect(aborted).not.toEqual([]);
  });

  it("is retried when it was busy, and given up after three times", async () => {
    const storage = open();
    await storage.put("uploads/a.webp", HELLO);
    let busy = 2;
    const refuse: S3Server["trouble"] = (request, response) => {
      if (busy-- <= 0) return false;
      request.resume();
      response.writeHead(503).end();
      return true;
    };
    s3.trouble = refuse;
    expect(await storage.find("uploads/a.webp")).toMatchObject({ size: 5 });
    for (const work of [
      () => storage.put("uploads/b.webp", HELLO),
      () => storage.list("uploads"),
      () => storage.remove("uploads/b.webp"),
    ]) {
      busy = 2;
      await work();
    }
    busy = 3;
    await expect(storage.find("uploads/a.webp")).rejects.toThrow("HTTP 503");
  });

  it("that does not answer, or does not exist, is an error in time", async () => {
    s3.trouble = () => true;
    for (const patience of [HASTE, { ...HASTE, answerMs: 60_000 }]) {
      const hasty = open("club", patience);
      const begun = performance.now();
      await expect(hasty.find("uploads/a.webp")).rejects.toThrow(/no answer in time|Timeout/);
      await expect(hasty.list("uploads")).rejects.toThrow(/no answer in time|Timeout/);
      expect(performance.now() - begun).toBeLessThan(30_000);
    }
    let silences = 1;
    s3.trouble = () => silences-- > 0;
    expect(await open("club", { ...HASTE, answerMs: 2_000, callMs: 20_000 }).list("nothing")).toEqual([]);
    const nobody = s3Storage({ ...s3.place(), endpoint: "http://127.0.0.1:1" }, HASTE);
    await expect(nobody.find("uploads/a.webp")).rejects.toThrow("ECONNREFUSED");
  });

  it("is checked before it is used, and its error does not print the secret", async () => {
    const place = s3.place();
    await checkBucket(place);
    await expect(checkBucket({ ...place, bucket: "elsewhere" })).rejects.toThrow("NoSuchBucket");
    const secretAccessKey = "the-secret-that-nobody-sees";
    const refused = await s3Storage({ ...place, secretAccessKey })
      .put("uploads/a.webp", HELLO)
      .catch((error: Error) => error);
    expect(inspect(refused, { depth: 9 })).toContain("SignatureDoesNotMatch");
    expect(inspect(refused, { depth: 9, showHidden: true })).not.toContain(secretAccessKey);
  });
});

describe("a file read from a bucket", () => {
  beforeAll(large);
  it("is not fetched faster than it is read, and no longer than there is a reader", async () => {
    const file = await reading("videos/large.m4s");
    let sent = () => 0;
    s3.trouble = (_, { socket }) => {
      sent = () => socket!.bytesWritten;
      return false;
    };
    await new Promise((resolve) => file.once("readable", resolve));
    for (let before = -1; before !== sent(); await wait(300)) before = sent();
    expect(sent()).toBeGreaterThan(0);
    expect(sent()).toBeLessThan(LARGE / 2);
    expect(last().cut).toBe(false);
    (file as NodeJS.ReadableStream & { destroy(): void }).destroy();
    await vi.waitUntil(() => last().cut, PATIENTLY);
  });

  it("is no longer waited for once its reader has left, though it has not come yet", async () => {
    const file = (await reading("videos/large.m4s")) as NodeJS.ReadableStream & { destroy(): void };
    const before = s3.asked.length;
    s3.trouble = () => true;
    file.resume();
    await vi.waitUntil(() => s3.asked.length > before, PATIENTLY);
    file.destroy();
    await vi.waitUntil(() => last().cut, PATIENTLY);
    await wait(300);
    expect(s3.asked).toHaveLength(before + 1);
  });

  it("waits for a slow reader, and does not wait for a slow bucket", async () => {
    const pieces: Buffer[] = [];
    let breaks = 1;
    for await (const piece of (await reading("videos/large.m4s", STALLING)) as AsyncIterable<Buffer>) {
      pieces.push(piece);
      if (breaks-- > 0) await wait(1.2 * STALL_MS);
    }
    expect(Buffer.concat(pieces)).toHaveLength(LARGE);
    const file = await reading("videos/large.m4s", STALLING);
    s3.trouble = (_, response) => {
      response.writeHead(200, { "content-length": LARGE }).write(HELLO);
      return true;
    };
    await expect(lengthOf(file)).rejects.toThrow(`no data for ${STALL_MS} ms`);
    await vi.waitUntil(() => last().cut, PATIENTLY);
  });

  it("is an error when it breaks off or is not the requested one, never a shorter file", async () => {
    const broken = await reading("videos/large.m4s");
    s3.trouble = (_, response) => {
      response.writeHead(200, { "content-length": LARGE }).write(HELLO, () => response.destroy());
      return true;
    };
    await expect(lengthOf(broken)).rejects.toThrow(/aborted|ECONNRESET/);
    s3.trouble = null;
    const found = (await open().find("videos/large.m4s"))!;
    s3.trouble = (_, response) => {
      response.writeHead(200, { "content-length": LARGE }).end(Buffer.alloc(LARGE));
      return true;
    };
    await expect(lengthOf(found.read({ start: 10, end: 19 }))).rejects.toThrow("another part");
    s3.trouble = null;
    await open().remove("videos/large.m4s");
    await expect(lengthOf(found.read())).rejects.toThrow("does not exist");
  });
});
