import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partOf } from "#server/domains/video/send-media.ts";
import type { Part } from "#server/storage/storage.ts";
import { world, type World } from "../../support/world.ts";
import { activePlayer, category, fetchMedia, playing, video, type MadeVideo } from "./video-world.ts";

let w: World;
let film: MadeVideo;
let folder: string;
let segment: string;
let whole: Buffer;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  film = await video(w);
  folder = await playing(w, film.id, (await activePlayer(w, "mia_1")).token);
  segment = folder + film.renditions[0]!.segments[9]!.name;
  whole = (await fetchMedia(w, segment)).bytes;
});
afterAll(() => w.close());

describe("a segment", () => {
  it("comes with its type, length and ETag, privately cacheable and not for long", async () => {
    const { headers, bytes } = await fetchMedia(w, segment);
    expect(bytes).toHaveLength(2_000);
    expect(headers).toMatchObject({
      "content-type": "video/mp4",
      "content-length": "2000",
      "accept-ranges": "bytes",
      "cache-control": "private, max-age=5",
      "x-content-type-options": "nosniff",
    });
  });

  it.each([
    ["bytes=0-99", 0, 99],
    ["bytes=100-", 100, 1_999],
    ["bytes=-50", 1_950, 1_999],
    ["bytes=1990-5000", 1_990, 1_999],
    ["bytes=0-0", 0, 0],
    ["bytes=-9000", 0, 1_999],
  ])("is sent in part: %s", async (range, start, end) => {
    const { status, headers, bytes } = await fetchMedia(w, segment, { range });
    expect(status).toBe(206);
    expect(headers["content-range"]).toBe(`bytes ${start}-${end}/2000`);
    expect(headers["content-length"]).toBe(String(end - start + 1));
    expect(bytes).toEqual(whole.subarray(start, end + 1));
  });

  it.each(["bytes=2000-", "bytes=9999-10000", "bytes=-0"])("has nothing at %s", async (range) => {
    const { status, headers, bytes } = await fetchMedia(w, segment, { range });
    expect([status, headers["content-range"], bytes.length]).toEqual([416, "bytes */2000", 0]);
  });

  it.each(["bytes=5-1", "bytes=a-b", "bytes=-", "lines=0-1", "bytes=0-1,5-6", "bytes=0-99999999999999999999"])(
    "is sent whole where %s is requested",
    async (range) => {
      const { status, bytes } = await fetchMedia(w, segment, { range });
      expect([status, bytes]).toEqual([200, whole]);
    },
  );

  it("is not sent again to a client that has it, nor in part to one that has another", async () => {
    const { headers } = await fetchMedia(w, segment);
    const etag = String(headers.etag);
    const again = await fetchMedia(w, segment, { "if-none-match": `"x", ${etag}` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const range = "bytes=0-9";
    expect((await fetchMedia(w, segment, { range, "if-range": etag })).status).toBe(206);
    expect((await fetchMedia(w, segment, { range, "if-range": '"other"' })).status).toBe(200);
  });

  it("is described to HEAD without being sent", async () => {
    const { status, headers, bytes } = await fetchMedia(w, segment, {}, "HEAD");
    expect([status, headers["content-length"], bytes.length]).toEqual([200, "2000", 0]);
    const part = await fetchMedia(w, segment, { range: "bytes=0-9" }, "HEAD");
    expect([part.status, part.headers["content-length"], part.bytes.length]).toEqual([206, "10", 0]);
  });
});

describe("a playlist", () => {
  it("can be sent in part and by its ETag too", async () => {
    const { text, headers } = await fetchMedia(w, `${folder}0.m3u8`);
    const part = await fetchMedia(w, `${folder}0.m3u8`, { range: "bytes=0-6" });
    expect([part.status, part.text]).toEqual([206, text.slice(0, 7)]);
    expect((await fetchMedia(w, `${folder}0.m3u8`, { "if-none-match": String(headers.etag) })).status).toBe(304);
    expect((await fetchMedia(w, `${folder}1.m3u8`, { "if-none-match": String(headers.etag) })).status).toBe(200);
  });
});

/** The paths of all files that this process has open. */
function openFiles(): string[] {
  const folder = "/proc/self/fd";
  return readdirSync(folder).flatMap((fd) => {
    const path = join(folder, fd);
    return existsSync(path) ? [readlinkSync(path)] : [];
  });
}

describe("a large file", () => {
  const SIZE = 64 * 1_048_576;

  it("is read no faster than the client takes it", async () => {
    const name = film.renditions[1]!.segments[0]!.name;
    let read = 0;
    const { storage } = w.deps;
    const find = storage.find.bind(storage);
    await storage.remove(`${film.folder}/${name}`);
    await storage.put(`${film.folder}/${name}`, Buffer.alloc(SIZE));
    storage.find = async (path) => {
      const found = await find(path);
      if (!found) return null;
      async function* pieces(part?: Part) {
        for await (const piece of found!.pieces(part)) {
          read += piece.length;
          yield piece;
        }
      }
      return { ...found, pieces };
    };
    const address = await w.listen();
    const response = await new Promise<IncomingMessage>((resolve) => {
      httpGet(address + folder + name, resolve);
    });
    await new Promise((resolve) => response.once("readable", resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(SIZE / 2);
    response.destroy();
    storage.find = find;
  });

  it.runIf(process.platform === "linux")(
    "is closed once its reader has gone, also one who requested more on the same connection",
    async () => {
      const name = film.renditions[1]!.segments[0]!.name;
      const { port } = new URL(await w.listen());
      const isOpen = () => openFiles().some((path) => path.endsWith(name));
      const line = connect(Number(port), "127.0.0.1").pause();
      line.write(`GET ${folder}${name} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(2));
      await expect.poll(isOpen).toBe(true);
      line.destroy();
      await expect.poll(isOpen).toBe(false);
    },
  );
});

describe("a range", () => {
  it("of no bytes is unsatisfiable", () => {
    expect([partOf("bytes=0-", 0), partOf("bytes=-5", 0), partOf(undefined, 0)]).toEqual(["beyond", "beyond", null]);
  });
});
