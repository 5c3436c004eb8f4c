import { existsSync, readFileSync } from "node:fs";
import type { Tx } from "#db/connect.ts";
import { videoCategories, videos } from "#db/schema/video.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Picture } from "#shared/picture.ts";
import { DAY_MS } from "#shared/time.ts";
import type { Rendition } from "#shared/video.ts";
import type { Deps } from "./deps.ts";
import { filesOf } from "./kept-pictures.ts";

const FOLDER = new URL("../db/demo/", import.meta.url);
/** Files that are copied at once. */
const TOGETHER = 16;
const NAME_BYTES = 16;

interface DemoVideo {
  code: string;
  category: string;
  title: LocalText;
  durationMs: number;
  /** Its files lie below `db/demo/videos/`. */
  poster: { file: string; widths: number[]; ratio: number; blur: string };
  /** Their files lie in the folder of its own name there. */
  renditions: (Omit<Rendition, "segments"> & { segments: { file: string; ms: number }[] })[];
}

export interface DemoVideos {
  categories: { key: string; name: LocalText }[];
  videos: DemoVideo[];
}

/** A video whose files are in their place. */
type KeptVideo = Omit<typeof videos.$inferInsert, "categoryId" | "publishedAt"> & { category: string };

export interface KeptVideos {
  categories: DemoVideos["categories"];
  videos: KeptVideo[];
}

/** The clips of the demo, those that are whole. */
export function readDemoVideos(): DemoVideos {
  const categories = readJson<DemoVideos["categories"][number]>("video-categories");
  const keys = new Set(categories.map(({ key }) => key));
  const isWhole = (video: DemoVideo) =>
    keys.has(video.category) && copiesOf(video).every(({ file }) => existsSync(file));
  return { categories, videos: readJson<DemoVideo>("videos").filter(isWhole) };
}

function readJson<T>(name: string): T[] {
  const file = new URL(`${name}.json`, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T[]) : [];
}

const posterOf = ({ code, poster: { widths, ratio, blur } }: DemoVideo): Picture => ({
  name: `/files/pictures/demo/video-${code}`,
  widths,
  ratio,
  blur,
});

/** The files of a video and, for those of its poster, what the storage calls them. */
function copiesOf(video: DemoVideo): { file: URL; name?: string; inFolder?: string }[] {
  const { code, poster, renditions } = video;
  const kept = filesOf(posterOf(video));
  const posters = filesOf({ name: poster.file, widths: poster.widths }).map((file, i) => ({
    file: new URL(`videos/${file}`, FOLDER),
    name: kept[i]!,
  }));
  const parts = renditions.flatMap(({ init, segments }) => [init, ...segments.map(({ file }) => file)]);
  return [...posters, ...parts.map((inFolder) => ({ file: new URL(`videos/${code}/${inFolder}`, FOLDER), inFolder }))];
}

/** Puts the clips, which are ready as they are, where videos lie, under names that cannot be guessed. */
export async function keepDemoVideos(deps: Pick<Deps, "storage" | "random">, demo: DemoVideos): Promise<KeptVideos> {
  const randomName = () => Buffer.from(deps.random(NAME_BYTES)).toString("hex");
  const copies: { file: URL; name: string }[] = [];
  const kept = demo.videos.map((video): KeptVideo => {
    const folder = `videos/${randomName()}`;
    const names = new Map<string, string>();
    for (const { file, name, inFolder } of copiesOf(video)) {
      if (inFolder !== undefined) names.set(inFolder, `${randomName()}${/\.\w+$/.exec(inFolder)![0]}`);
      copies.push({ file, name: name ?? `${folder}/${names.get(inFolder!)!}` });
    }
    const renditions = video.renditions.map(({ init, segments, ...rest }) => ({
      ...rest,
      init: names.get(init)!,
      segments: segments.map(({ file, ms }) => ({ name: names.get(file)!, ms })),
    }));
    const { code, category, title, durationMs } = video;
    const shown = { title, durationMs, poster: posterOf(video), strip: null, captions: [], demo: true };
    return { source: `demo:${code}`, category, folder, renditions, ...shown };
  });
  for (let from = 0; from < copies.length; from += TOGETHER) {
    const some = copies.slice(from, from + TOGETHER);
    await Promise.all(some.map(({ file, name }) => deps.storage.put(name, readFileSync(file))));
  }
  return { categories: demo.categories, videos: kept };
}

/** Writes the categories and the clips; the first of them is the newest. */
export async function seedVideos(tx: Tx, { clock }: Pick<Deps, "clock">, demo: KeptVideos): Promise<void> {
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
