import { existsSync, readFileSync } from "node:fs";
import type { Tx } from "#db/db.ts";
import { videoCategories, videos } from "#db/schema/video.ts";
import { LOCALES, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { pictureFiles, type Picture } from "#shared/picture.ts";
import { DAY_MS } from "#shared/time.ts";
import type { Chapter, Rendition } from "#shared/video.ts";
import { delayedSegment, timescalesIn } from "./repeat-segments.ts";
import type { Deps } from "#server/app/deps.ts";

const FOLDER = new URL("../../db/demo/", import.meta.url);
/** Files that are copied at once. */
const TOGETHER = 16;
const NAME_BYTES = 16;

interface DemoVideo {
  code: string;
  category: string;
  title: LocalText;
  chapters?: Chapter[];
  durationMs: number;
  /** Its files lie below `db/demo/videos/`. */
  poster: { file: string; widths: number[]; ratio: number; blur: string };
  /** Their files lie in the folder of its own name there. They are played again until the video is over. */
  renditions: (Omit<Rendition, "segments"> & { segments: { file: string; ms: number }[] })[];
}

/** What a clip's picture shows, line after line, in every language. */
interface DemoCaptions {
  code: string;
  lines: Record<LocaleCode, string>[];
}

/** How long each line stands. */
const LINE_S = 6;

interface DemoVideos {
  categories: { key: string; name: LocalText }[];
  videos: DemoVideo[];
}

/** A video whose files are stored. */
type StoredVideo = Omit<typeof videos.$inferInsert, "categoryId" | "publishedAt"> & { category: string };

interface StoredVideos {
  categories: DemoVideos["categories"];
  videos: StoredVideo[];
}

/** The demo's clips whose files are all present. */
export function readDemoVideos(): DemoVideos {
  const categories = readJson<DemoVideos["categories"][number]>("video-categories");
  const keys = new Set(categories.map(({ key }) => key));
  const isWhole = (video: DemoVideo) =>
    keys.has(video.category) && [...postersOf(video), ...partsOf(video)].every((file) => existsSync(inDemo(file)));
  return { categories, videos: readJson<DemoVideo>("videos").filter(isWhole) };
}

function readJson<T>(name: string): T[] {
  const file = new URL(`${name}.json`, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T[]) : [];
}

/** The files of its poster and of its clip, below `db/demo/videos/`. */
const postersOf = ({ poster: { file, widths } }: DemoVideo) => avifsOf({ name: file, widths });
const partsOf = ({ code, renditions }: DemoVideo) =>
  renditions.flatMap(({ init, segments }) =>
    [init, ...segments.map(({ file }) => file)].map((file) => `${code}/${file}`),
  );
/** The storage makes WebP of them (withWebp). */
const avifsOf = (picture: Pick<Picture, "name" | "widths">) =>
  pictureFiles(picture).filter((file) => file.endsWith(".avif"));
const inDemo = (file: string) => new URL(`videos/${file}`, FOLDER);

/** Stores the clips under names that cannot be guessed. */
export async function storeDemoVideos(deps: Pick<Deps, "storage" | "random">, demo: DemoVideos): Promise<StoredVideos> {
  const randomName = () => Buffer.from(deps.random(NAME_BYTES)).toString("hex");
  const files: { name: string; read: () => Buffer }[] = [];
  const described = new Map(readJson<DemoCaptions>("video-captions").map(({ code, lines }) => [code, lines]));
  const stored = demo.videos.map((video): StoredVideo => {
    const { code, category, title, chapters = [], durationMs } = video;
    const folder = `videos/${randomName()}`;
    const store = (name: string, read: () => Buffer) => {
      files.push({ name: `${folder}/${name}`, read });
      return name;
    };
    const poster = posterNamed(video, randomName());
    for (const [i, from] of postersOf(video).entries()) store(avifsOf(poster)[i]!, () => readFileSync(inDemo(from)));
    const renditions = video.renditions.map(({ init, segments, ...rest }) => {
      const first = readFileSync(inDemo(`${code}/${init}`));
      const shown = repeated(segments, durationMs).map(({ file, ms, laterMs }, place) => {
        const read = () => readFileSync(inDemo(`${code}/${file}`));
        const name = `${randomName()}.m4s`;
        return { name: store(name, () => delayedSegment(read(), laterMs, place, timescalesIn(first))), ms };
      });
      return { ...rest, init: store(`${randomName()}.mp4`, () => first), segments: shown };
    });
    const captions = captionsOf(described.get(code) ?? []).map(({ lang, vtt }) => ({
      lang,
      file: store(`${randomName()}.vtt`, () => Buffer.from(vtt)),
    }));
    const shown = { title, durationMs, poster, strip: null, captions, chapters, demo: true };
    return { source: `demo:${code}`, category, folder, renditions, ...shown };
  });
  for (let first = 0; first < files.length; first += TOGETHER) {
    const some = files.slice(first, first + TOGETHER);
    await Promise.all(some.map(({ name, read }) => deps.storage.put(name, read())));
  }
  return { categories: demo.categories, videos: stored };
}

/** WebVTT with these lines, one after another, in each language; none without a line. */
function captionsOf(lines: DemoCaptions["lines"]): { lang: string; vtt: string }[] {
  if (lines.length === 0) return [];
  const time = (seconds: number) => `00:${String(seconds).padStart(2, "0")}.000`;
  const times = lines.map((_, i) => `${time(i * LINE_S)} --> ${time((i + 1) * LINE_S)}`);
  return LOCALES.map(({ code, tag }) => {
    const cues = lines.map((line, i) => `${times[i]}\n${line[code]}`);
    return { lang: tag, vtt: `${["WEBVTT", ...cues].join("\n\n")}\n` };
  });
}

/** The segments of a scene, repeated until `untilMs`, each with its delay. */
function repeated(scene: { file: string; ms: number }[], untilMs: number) {
  const roundMs = scene.reduce((sum, { ms }) => sum + ms, 0);
  const shown: { file: string; ms: number; laterMs: number }[] = [];
  for (let place = 0, atMs = 0; atMs < untilMs; atMs += shown[place++]!.ms) {
    shown.push({ ...scene[place % scene.length]!, laterMs: Math.floor(place / scene.length) * roundMs });
  }
  return shown;
}

const posterNamed = ({ poster: { widths, ratio, blur } }: DemoVideo, name: string): Picture => ({
  name,
  widths,
  ratio,
  blur,
});

/** Writes the categories and the clips; the first of them is the newest. */
export async function seedVideos(tx: Tx, { clock }: Pick<Deps, "clock">, demo: StoredVideos): Promise<void> {
  if (demo.categories.length === 0) return;
  const rows = demo.categories.map((category, i) => ({ ...category, position: i + 1 }));
  const { id, key } = videoCategories;
  const added = await tx.insert(videoCategories).values(rows).returning({ id, key });
  const ids = new Map(added.map((category) => [category.key, category.id]));
  const dated = demo.videos.map(({ category, ...video }, i) => ({
    ...video,
    categoryId: ids.get(category)!,
    publishedAt: clock.now() - i * DAY_MS,
  }));
  if (dated.length > 0) await tx.insert(videos).values(dated.toReversed());
}
