import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { DatabaseCache, type CacheStamp } from "#db/database-cache.ts";
import { videos } from "#db/schema/video.ts";
import { pictureFiles } from "#shared/picture.ts";
import type { Captions, Chapter, PreviewStrip, Rendition } from "#shared/video.ts";

/** The kinds of files of a video. */
export type VideoFile =
  | { kind: "init" }
  /** `index` is its place in its rendition. */
  | { kind: "segment"; rendition: Rendition; index: number }
  | { kind: "strip" }
  | { kind: "captions" };

/** The files of a video that are served. */
export interface ServedVideo {
  folder: string;
  renditions: Rendition[];
  strip: PreviewStrip | null;
  captions: Captions[];
  chapters: Chapter[];
  /** By name; nothing else is served. */
  files: Map<string, VideoFile>;
}

/** The most videos whose files are cached. */
const MOST_CACHED = 200;
/** The most posters cached: lists show many more videos than are watched. */
const MOST_POSTERS = 2_000;

/** A poster's folder and file names. */
interface KnownPoster {
  folder: string;
  files: ReadonlySet<string>;
}

/** Finds the files of videos through a cache. */
export class VideoFiles {
  readonly #read: Tx;
  readonly #known: DatabaseCache<ServedVideo>;
  readonly #posters: DatabaseCache<KnownPoster>;

  constructor(read: Tx, changes: CacheStamp) {
    this.#read = read;
    this.#known = new DatabaseCache(changes, MOST_CACHED);
    this.#posters = new DatabaseCache(changes, MOST_POSTERS);
  }

  /** Null when there is no such video. */
  async find(id: number): Promise<ServedVideo | null> {
    return this.#known.get(String(id), () => this.#readVideo(id)).catch(nullIfNone);
  }

  /** The folder of this poster file; null when the video's poster has no such file. */
  async folderOfPoster(id: number, file: string): Promise<string | null> {
    const poster = await this.#posters.get(String(id), () => this.#readPoster(id)).catch(nullIfNone);
    return poster?.files.has(file) ? poster.folder : null;
  }

  async #readPoster(id: number): Promise<KnownPoster> {
    const { folder, poster } = videos;
    const [row] = await this.#read.select({ folder, poster }).from(videos).where(eq(videos.id, id));
    if (!row?.poster) throw new NoVideo();
    return { folder: row.folder, files: new Set(pictureFiles(row.poster)) };
  }

  async #readVideo(id: number): Promise<ServedVideo> {
    const { folder, renditions, strip, captions, chapters } = videos;
    const [row] = await this.#read
      .select({ folder, renditions, strip, captions, chapters })
      .from(videos)
      .where(eq(videos.id, id));
    if (!row) throw new NoVideo();
    return { ...row, files: filesOf(row) };
  }
}

/** An error is never cached, so unknown ids cannot push out real videos. */
class NoVideo extends Error {}

function nullIfNone(error: unknown): null {
  if (error instanceof NoVideo) return null;
  throw error;
}

/** The files in a video's folder by name, without its poster's. */
export function filesOf({
  renditions,
  strip,
  captions,
}: Pick<ServedVideo, "renditions" | "strip" | "captions">): Map<string, VideoFile> {
  const files = new Map<string, VideoFile>();
  for (const rendition of renditions) {
    files.set(rendition.init, { kind: "init" });
    for (const [index, { name }] of rendition.segments.entries())
      files.set(name, { kind: "segment", rendition, index });
  }
  if (strip) files.set(strip.file, { kind: "strip" });
  for (const { file } of captions) files.set(file, { kind: "captions" });
  return files;
}
