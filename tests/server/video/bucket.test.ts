import { existsSync } from "node:fs";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sweepUploads } from "#server/domains/member/sweep-uploads.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import { S3Server } from "../../support/s3-server.ts";
import { world, type World } from "../../support/world.ts";
import {
  activePlayer,
  fetchMedia,
  FREE,
  mediaFilesOf,
  PLAYLISTS,
  playing,
  segmentsIn,
  statusesOf,
  video,
  category,
  type MadeVideo,
} from "./video-world.ts";

let s3: S3Server;
let w: World;
let made: MadeVideo;

beforeAll(async () => {
  s3 = await S3Server.start();
  w = await world({ env: s3.env() });
  await category(w, "sea");
  made = await video(w);
});
afterEach(() => {
  s3.trouble = null;
});
afterAll(async () => {
  await w.close();
  await s3.close();
});

const stored = async (name: string) => buffer((await w.deps.storage.find(`${made.folder}/${name}`))!.read());

describe("a video in a bucket", () => {
  it("plays for members, all of it and every part", async () => {
    const mia = await activePlayer(w, "mia_1");
    const folder = await playing(w, made.id, mia.token);
    expect(await statusesOf(w, folder, [...PLAYLISTS, ...mediaFilesOf(made)])).toEqual(new Set([200]));
    const { name } = made.renditions[0]!.segments.at(-1)!;
    const whole = await stored(name);
    expect((await fetchMedia(w, folder + name)).bytes.equals(whole)).toBe(true);
    for (const [range, start, end] of [
      ["bytes=0-9", 0, 9],
      ["bytes=700-700", 700, 700],
      ["bytes=-5", 1_995, 1_999],
      ["bytes=1990-", 1_990, 1_999],
    ] as const) {
      const { status, headers, bytes } = await fetchMedia(w, folder + name, { range });
      expect([status, headers["content-range"]]).toEqual([206, `bytes ${start}-${end}/2000`]);
      expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true);
    }
    expect((await fetchMedia(w, folder + name, { range: "bytes=2000-" })).status).toBe(416);
    expect((await fetchMedia(w, folder + name, {}, "HEAD")).headers["content-length"]).toBe("2000");
    expect(existsSync(w.config.filesDir)).toBe(false);
  });

  it("shows guests the beginning alone, whatever file names they know", async () => {
    const folder = await playing(w, made.id);
    const free = segmentsIn((await fetchMedia(w, `${folder}0.m3u8`)).text);
    expect(free).toHaveLength(FREE);
    expect(await statusesOf(w, folder, free)).toEqual(new Set([200]));
    const beyond = made.renditions.flatMap(({ segments }) => segments.slice(FREE).map(({ name }) => name));
    const guesses = [made.strip, "0.m4s", "..%2f..%2fuploads", `${"0".repeat(32)}.m4s`];
    const before = s3.asked.length;
    expect(await statusesOf(w, folder, [...beyond, ...guesses])).toEqual(new Set([403]));
    expect(s3.asked).toHaveLength(before);
    expect((await fetchMedia(w, folder + made.captions)).text).not.toContain("Late words");
  });

  it("is not fetched on once the player has gone", async () => {
    const { name } = made.renditions[0]!.segments[0]!;
    await w.deps.storage.put(`${made.folder}/${name}`, Buffer.alloc(40_000_000));
    const address = (await w.listen()) + (await playing(w, made.id)) + name;
    await new Promise<void>((resolve, reject) => {
      const asking = get(address, (answer) => {
        answer.once("data", () => {
          asking.destroy();
          resolve();
        });
      }).on("error", reject);
    });
    await expect.poll(() => s3.asked.some(({ path, cut }) => cut && path.includes(name))).toBe(true);
  });

  it("is an error while the bucket is away, reported at once and never cached, and plays again after", async () => {
    const folder = await playing(w, made.id);
    const { name } = made.renditions[1]!.segments[0]!;
    for (const method of ["HEAD", "GET"]) {
      s3.trouble = (request, response) => {
        const isIt = request.method === method;
        if (isIt) response.writeHead(503).end();
        return isIt;
      };
      const { status, headers, bytes } = await fetchMedia(w, folder + name, { range: "bytes=0-9" });
      expect([status, headers["cache-control"], bytes.length]).toEqual([503, "no-store", 0]);
      for (const name of ["etag", "content-range"]) expect(headers).not.toHaveProperty(name);
      const line = w.logged.findLast((one) => one.includes("a video could not be sent"))!;
      expect(JSON.parse(line)).toMatchObject({ requestId: headers["x-request-id"] });
    }
    s3.trouble = null;
    expect((await fetchMedia(w, folder + name)).status).toBe(200);
    expect(w.logged.join("")).toContain("HTTP 503");
    expect(w.logged.join("")).not.toContain(w.config.s3!.secretAccessKey);
  });
});

describe("a picture in a bucket", () => {
  const shown = (url: string) => w.site.app.inject({ url });

  it("is shown, and is an error while the bucket is away", async () => {
    const mia = await w.player("mia_2");
    const { data: path } = await mia.call("/system/uploadimg", { file: fileOf(await pngOf()) });
    const { statusCode, headers } = await shown(path);
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
    expect((await shown("/files/uploads/none.webp")).statusCode).toBe(404);
    s3.trouble = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    const away = await shown(path);
    expect([away.statusCode, away.headers["cache-control"]]).toEqual([503, "no-store"]);
    expect(away.json()).toMatchObject({ code: 503 });
    expect((await mia.call("/system/uploadimg", { file: fileOf(await pngOf()) })).code).toBe(503);
  });

  it("that is unused is swept, with what a crash left; an avatar stays", async () => {
    const mia = await w.player("mia_3");
    const bring = async (seed: number) =>
      (await mia.call("/system/uploadimg", { file: fileOf(await pngOf(64, 48, seed)) })).data;
    const [worn, idle] = [await bring(1), await bring(2)];
    await mia.call("/member/uploadHeaderImg", { header_img: worn });
    await w.deps.storage.put("uploads/left.webp", Buffer.from("left"));
    // The store dates files, not the test's clock.
    w.pass(Date.now() - w.now() + DAY_MS + HOUR_MS);
    await sweepUploads(w.deps);
    expect((await shown(idle)).statusCode).toBe(404);
    expect((await shown(worn)).statusCode).toBe(200);
    expect(await w.deps.storage.list("uploads")).toEqual([worn.replace("/files/", "")]);
  });
});
