import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { thumbHashToRGBA } from "thumbhash";
import { describe, expect, it } from "vitest";
import type { LocaleCode } from "#shared/locales.ts";
import { completeCodes } from "../../support/glossary.ts";
import { ROOT } from "../../support/source-files.ts";

type Texts = Record<LocaleCode, string>;

interface DemoVideo {
  code: string;
  category: string;
  title: Texts;
  chapters?: { start: number; title: Texts }[];
  durationMs: number;
  poster: { file: string; widths: number[]; ratio: number; blur: string };
  renditions: {
    height: number;
    width: number;
    bandwidth: number;
    averageBandwidth: number;
    frameRate: number;
    codecs: string;
    init: string;
    segments: { file: string; ms: number }[];
  }[];
}

const DEMO = join(ROOT, "db/demo");
const VIDEOS = join(DEMO, "videos");
/** A clone of the whole project stays small. */
const MOST_BYTES = 3_200_000;
const PREVIEW_MS = 20_000;

const videos = JSON.parse(readFileSync(join(DEMO, "videos.json"), "utf8")) as DemoVideo[];
const categories = JSON.parse(readFileSync(join(DEMO, "video-categories.json"), "utf8")) as {
  key: string;
  name: Texts;
}[];
const codes = completeCodes();

const posters = videos.flatMap(({ poster: { file, widths } }) => widths.map((width) => `${file}-${width}.avif`));
const parts = videos.flatMap(({ code, renditions }) =>
  renditions.flatMap(({ init, segments }) =>
    [init, ...segments.map(({ file }) => file)].map((file) => `${code}/${file}`),
  ),
);
const renditions = videos.flatMap(({ code, durationMs, renditions: all }) =>
  all.map((one) => ({ code, durationMs, ...one })),
);

/** The names of a file's boxes, in their order (ISO/IEC 14496-12). */
function boxesOf(file: string): string[] {
  const bytes = readFileSync(join(VIDEOS, file));
  const names: string[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(8, bytes.readUInt32BE(at))) {
    names.push(bytes.toString("latin1", at + 4, at + 8));
  }
  return names;
}

const isWhole = (texts: Texts) =>
  Object.keys(texts).toSorted().join() === codes.toSorted().join() && codes.every((code) => texts[code].trim() !== "");

describe("the videos of the demo", () => {
  it("are twenty-four, six in each of four categories, each with its own code and title", () => {
    expect(categories).toHaveLength(4);
    const perCategory = categories.map(({ key }) => videos.filter(({ category }) => category === key).length);
    expect(perCategory).toEqual([6, 6, 6, 6]);
    expect(videos).toHaveLength(24);
    expect(new Set(videos.map(({ code }) => code)).size).toBe(24);
    const titles = codes.map((locale) => new Set(videos.map(({ title }) => title[locale])).size);
    expect(titles).toEqual(codes.map(() => 24));
  });

  it("have categories that are named in every complete language", () => {
    expect(videos.filter(({ title }) => !isWhole(title)).map(({ code }) => code)).toEqual([]);
    expect(categories.filter(({ name }) => !isWhole(name)).map(({ key }) => key)).toEqual([]);
  });

  it("are described in every complete language, where they have captions", () => {
    const file = readFileSync(join(DEMO, "video-captions.json"), "utf8");
    const described = JSON.parse(file) as { code: string; lines: Texts[] }[];
    const known = new Set(videos.map(({ code }) => code));
    expect(described.filter(({ code, lines }) => !known.has(code) || !lines.every(isWhole))).toEqual([]);
  });

  it("have one with chapters in every complete language, some in its preview and some beyond", () => {
    const [only, ...others] = videos.flatMap(({ chapters, durationMs }) =>
      chapters ? [{ chapters, durationMs }] : [],
    );
    expect(others).toEqual([]);
    expect(only!.chapters.filter(({ title }) => !isWhole(title))).toEqual([]);
    const starts = only!.chapters.map(({ start }) => start * 1000);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect([starts[0], starts.at(-1)! < only!.durationMs]).toEqual([0, true]);
    expect(starts.some((start) => start > 0 && start < PREVIEW_MS / 2) && starts.at(-1)! > PREVIEW_MS).toBe(true);
  });

  it("continue after a preview has ended", () => {
    const short = videos.filter(({ durationMs }) => durationMs <= PREVIEW_MS || durationMs > 40_000);
    expect(short.map(({ code }) => code)).toEqual([]);
  });
});

describe("the files of the demo's videos", () => {
  it("are exactly those that are named, and together stay small", () => {
    const there = readdirSync(VIDEOS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = there.map((entry) => join(entry.parentPath, entry.name).slice(VIDEOS.length + 1));
    expect(names.toSorted()).toEqual([...posters, ...parts].toSorted());
    const bytes = names.reduce((sum, name) => sum + statSync(join(VIDEOS, name)).size, 0);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it("begin as players need: an init segment with its tracks, then fragments with their samples", () => {
    const wrong = parts.filter((file) => {
      const boxes = boxesOf(file);
      if (file.endsWith("/init.mp4")) return boxes[0] !== "ftyp" || !boxes.includes("moov");
      return !["styp", "moof"].includes(boxes[0]!) || !boxes.includes("moof") || boxes.at(-1) !== "mdat";
    });
    expect(wrong).toEqual([]);
  });

  it("are a scene of eight seconds or more, in segments of four, and the clip ends with one of them", () => {
    const uneven = renditions.filter(
      ({ durationMs, segments }) =>
        segments.length < 2 || segments.some(({ ms }) => ms !== 4000) || durationMs % 4000 !== 0,
    );
    expect(uneven.map(({ code, height }) => `${code} ${height}`)).toEqual([]);
  });

  it("are no larger than their rendition says", () => {
    const larger = renditions.flatMap(({ code, bandwidth, segments }) =>
      segments.filter(({ file, ms }) => (statSync(join(VIDEOS, code, file)).size * 8000) / ms > bandwidth),
    );
    expect(larger).toEqual([]);
    for (const { code, averageBandwidth, segments } of renditions) {
      const bytes = segments.reduce((sum, { file }) => sum + statSync(join(VIDEOS, code, file)).size, 0);
      expect(averageBandwidth).toBe(Math.ceil((bytes * 8000) / segments.reduce((sum, { ms }) => sum + ms, 0)));
    }
    expect(renditions.filter(({ width, height }) => width * 9 !== height * 16)).toEqual([]);
    expect(renditions.every(({ codecs }) => /^avc1\.(4d|64)[0-9a-f]{4},mp4a\.40\.2$/.test(codecs))).toBe(true);
    expect(videos.every((video) => video.renditions.some(({ height }) => height === 360))).toBe(true);
  });

  it("have as many pictures in a second as their rendition says", () => {
    const rates = renditions.flatMap(({ code, frameRate, segments }) =>
      segments.map(({ file, ms }) => {
        const bytes = readFileSync(join(VIDEOS, code, file));
        // The first track run is the picture's; its count of samples follows its version and flags.
        return [`${code} ${frameRate}`, (bytes.readUInt32BE(bytes.indexOf("trun") + 8) * 1000) / ms];
      }),
    );
    expect(rates).toEqual(rates.map(([name]) => [name, 24]));
    expect(new Set(renditions.map(({ frameRate }) => frameRate))).toEqual(new Set([24]));
  });

  it("have posters of their stated width, and a blurred preview", async () => {
    for (const { poster } of videos) {
      for (const width of poster.widths) {
        const { width: wide, height } = await sharp(join(VIDEOS, `${poster.file}-${width}.avif`)).metadata();
        expect([wide, height]).toEqual([width, width * poster.ratio]);
      }
      const { w, h } = thumbHashToRGBA(Buffer.from(poster.blur, "base64"));
      expect(w / h).toBeCloseTo(1 / poster.ratio, 0);
    }
  });
});
