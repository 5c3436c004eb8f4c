import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Misused, Refused } from "#server/admin/command.ts";
import { videoImport } from "#server/admin/video/import.ts";
import { videoCategory, videoList, videoRemove } from "#server/admin/video/video.ts";
import { videos } from "#db/schema/video.ts";
import { pictureSrcset } from "#shared/picture.ts";
import { world, type World } from "../../support/world.ts";
import { everything, operate } from "../admin/operate.ts";
import { begin, everyFile, inspect, makeClip, putCover } from "./clips.ts";
import { activePlayer, fetchMedia, playing, read } from "./video-world.ts";

// ffmpeg runs at low priority: on a busy machine it is the last to go on.
vi.setConfig({ testTimeout: 240_000 });

let w: World;
let clip: string;

const at = (name: string) => join(w.folder, name);
const operator = () => ({ ...w.deps, config: w.config });
const options = (over: object = {}) => ({ title: '{"en_us":"Bars","ko_kr":"막대"}', category: "sea", ...over });
const run = (file: string, over: object = {}) =>
  videoImport.run(operator(), { args: { FILE: file }, options: options(over) });
const work = () => (existsSync(at("imports")) ? readdirSync(at("imports")) : []);
const state = async () => ({ rows: await everything(w), files: everyFile(w.config.filesDir).sort() });
const all = () => w.deps.db.read.select().from(videos);

beforeAll(async () => {
  w = await world();
  await videoCategory.run(operator(), { args: { KEY: "sea", NAME: "Sea" }, options: {} });
  clip = makeClip(at("clip.mp4"), { volume: 0.05, more: ["-metadata", "title=Not to be believed"] });
});
afterAll(() => w.close());

describe("an import", () => {
  it("publishes a video that plays, in segments of four seconds, with poster, strip and captions", async () => {
    for (const [lang, word] of [
      ["ko", "안녕"],
      ["vi", "Chào"],
    ])
      writeFileSync(at(`${lang}.vtt`), `WEBVTT\n\n00:01.000 --> 00:02.000\n${word}\n`);
    const answer = await run(clip, { captions: `ko_kr=${at("ko.vtt")},vi=${at("vi.vtt")}` });
    expect(answer.json).toEqual({ ok: true, id: "vid_1" });
    await w.site.relay.wake();
    const mia = await activePlayer(w, "mia_1");
    const info = await read(w, "/video/getVideoInfo", { id: "vid_1" }, mia.token);
    expect([info.vod_name, info.duration, info.demo]).toEqual(["Bars", 6, 0]);
    expect(info.strip).toMatchObject({ columns: 10, count: 6, every_ms: 1_000, width: 160, height: 90 });
    const folder = await playing(w, 1, mia.token);
    const { text } = await fetchMedia(w, `${folder}0.m3u8`);
    expect(text.match(/#EXTINF:[\d.]+/g)).toEqual(["#EXTINF:4.000", "#EXTINF:2.000"]);
    const master = (await fetchMedia(w, `${folder}index.m3u8`)).text;
    const [peak, mean] = [...master.matchAll(/BANDWIDTH=(\d+)/g)].map(([, rate]) => Number(rate));
    expect(master).toContain(",FRAME-RATE=25.000,");
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThanOrEqual(peak!);
    expect(info.captions.map(({ lang }) => lang)).toEqual(["ko", "vi"]);
    expect((await fetchMedia(w, info.captions[0]!.url)).text).toContain("안녕");
    expect((await fetchMedia(w, info.strip!.url)).headers["content-type"]).toBe("image/jpeg");
    await expectPoster(info.vod_pic, info.vod_shape!.widths);
    expect(work()).toEqual([]);
  });

  const expectPoster = async (url: string, widths: number[]) => {
    expect(widths).toEqual([320, 640, 1080]);
    for (const format of ["webp", "avif"] as const) {
      for (const [i, source] of pictureSrcset(url, widths, format).split(", ").entries()) {
        const { status, headers, bytes } = await fetchMedia(w, source.split(" ")[0]!);
        expect([status, headers["content-type"]]).toEqual([200, `image/${format}`]);
        expect((await sharp(bytes).metadata()).width).toBe(widths[i]);
      }
    }
    const [{ folder, poster }] = (await all()) as [typeof videos.$inferSelect];
    expect(poster!.name).toMatch(/^[0-9a-f]{32}$/);
    expect(everyFile(w.config.filesDir).filter((file) => !file.includes(folder))).toEqual([]);
  };

  it("never makes a size larger than the source, drops its metadata, and normalises its loudness", async () => {
    const [{ renditions, folder }] = (await all()) as [typeof videos.$inferSelect];
    expect(renditions.map(({ width, height }) => [width, height])).toEqual([[320, 180]]);
    expect(renditions[0]!.codecs).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
    const pieces = [renditions[0]!.init, ...renditions[0]!.segments.map(({ name }) => name)];
    const whole = Buffer.concat(pieces.map((name) => readFileSync(join(w.config.filesDir, folder, name))));
    expect(whole.includes("Not to be believed")).toBe(false);
    writeFileSync(at("whole.mp4"), whole);
    const loud = Number(/I:\s+(-[\d.]+) LUFS(?![\s\S]*I:\s)/.exec(inspect(at("whole.mp4"), "ebur128"))?.[1]);
    expect(Math.abs(loud + 16)).toBeLessThan(3);
  });

  it("of the same file again is refused, whatever its name is now", async () => {
    writeFileSync(at("again.mov"), readFileSync(clip));
    const before = await state();
    await expect(run(at("again.mov"))).rejects.toThrow("it was imported already, as vid_1");
    expect([await state(), work()]).toEqual([before, []]);
  });

  it("that was killed leaves nothing visible, and resumes where it was", async () => {
    const large = makeClip(at("large.mp4"), { size: "640x480", seconds: 5, rate: 10, volume: null });
    const words = ["video:import", large, "--title", "Large", "--category", "sea"];
    const before = await state();
    const killed = begin(w, ...words);
    const step = (name: string) =>
      work()
        .map((hash) => join(at("imports"), hash, name))
        .find(existsSync);
    while (!step("360p")) await wait(10);
    await killed.kill();
    expect(await state()).toEqual(before);
    const done = join(step("360p")!, "master.m3u8");
    writeFileSync(done, readFileSync(done, "utf8").replace(/RESOLUTION=\d+x\d+/, "RESOLUTION=42x24"));
    const { exit, out } = await operate(w, ...words, "--json");
    expect([exit, JSON.parse(out)]).toMatchObject([0, { ok: true }]);
    const { renditions } = (await all()).at(-1)!;
    expect(renditions.map(({ width, height }) => [width, height])).toEqual([
      [42, 24],
      [640, 480],
    ]);
    expect(renditions[0]!.segments.map(({ ms }) => ms)).toEqual(renditions[1]!.segments.map(({ ms }) => ms));
    expect(renditions[0]!.codecs).not.toContain("mp4a");
    expect(work()).toEqual([]);
  });

  it("takes the film, also where a cover picture comes first", async () => {
    await run(putCover(clip, at("cover.mp4")));
    const { renditions, strip, poster, durationMs } = (await all()).at(-1)!;
    expect(renditions.map(({ width, height }) => [width, height])).toEqual([[320, 180]]);
    expect([durationMs, strip!.count, strip!.width, strip!.height]).toEqual([6_000, 6, 160, 90]);
    expect(poster!.ratio).toBeCloseTo(180 / 320, 2);
  });
});

describe("an import is refused with a reason, and leaves nothing", () => {
  const refusal = async (file: string, over: object = {}) => {
    const before = await state();
    const error = await run(file, over).then(
      () => null,
      (refused: Error) => refused,
    );
    expect(error).toBeInstanceOf(Refused);
    expect([await state(), work()]).toEqual([before, []]);
    return error!.message;
  };

  it("for a text that is named like a video, and for one that names other files", async () => {
    writeFileSync(at("text.mp4"), "no film at all");
    writeFileSync(at("list.mp4"), `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile://${clip}\n#EXT-X-ENDLIST\n`);
    writeFileSync(at("concat.mp4"), `ffconcat version 1.0\nfile ${clip}\n`);
    for (const name of ["text.mp4", "list.mp4", "concat.mp4"]) {
      expect(await refusal(at(name))).toContain("it cannot be read as a video");
    }
  });

  it("for sound without a picture", async () => {
    makeClip(at("sound.mp4"), { seconds: 1, more: ["-vn"] });
    expect(await refusal(at("sound.mp4"))).toContain("it has no video track");
  });

  it("for a truncated file, wherever its length is written", async () => {
    writeFileSync(at("cut.mp4"), readFileSync(clip));
    truncateSync(at("cut.mp4"), 200_000);
    expect(await refusal(at("cut.mp4"))).toContain("only part of one");
    makeClip(at("front.mp4"), { more: ["-movflags", "+faststart"] });
    truncateSync(at("front.mp4"), 400_000);
    expect(await refusal(at("front.mp4"))).toMatch(/truncated|could not be converted/);
  });

  it("for no file, a folder, and an unknown category", async () => {
    expect(await refusal(at("none.mp4"))).toBe("there is no such file");
    expect(await refusal(w.folder)).toBe("it is not a regular file");
    expect(await refusal(clip, { category: "none" })).toContain("there are sea; add one with video:category");
  });

  it("for invalid captions", async () => {
    writeFileSync(at("bad.vtt"), "1\n00:01 --> 00:02\nhello");
    expect(await refusal(clip, { captions: `ko_kr=${at("bad.vtt")}` })).toContain("WEBVTT");
    const file = at("ko.vtt");
    for (const captions of [file, `xx=${file}`, `ko_kr=${file},ko=${file}`])
      await expect(run(clip, { captions })).rejects.toBeInstanceOf(Misused);
  });

  it("where ffmpeg is not installed, and says how to install it", async () => {
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    try {
      expect(await refusal(clip)).toContain("apt-get install ffmpeg");
    } finally {
      process.env.PATH = path;
    }
  });
});

describe("the operator", () => {
  it("lists the videos, and removes one with all its files", async () => {
    const listed = await videoList.run(operator(), { args: {}, options: {} });
    expect(listed.text.split("\n")).toHaveLength(3);
    expect(listed.text).toContain("Bars");
    for (const ID of ["vid_1", "vid_2", "vid_3"]) await videoRemove.run(operator(), { args: { ID }, options: {} });
    expect(everyFile(w.config.filesDir)).toEqual([]);
    await expect(videoRemove.run(operator(), { args: { ID: "vid_1" }, options: {} })).rejects.toThrow("no video vid_1");
  });
});
