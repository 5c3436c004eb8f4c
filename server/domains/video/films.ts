import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { DatabaseCache } from "#db/database-cache.ts";
import { videos } from "#db/schema/video.ts";
import { pictureFiles } from "#shared/picture.ts";
import type { Captions, PreviewStrip, Rendition } from "#shared/video.ts";
import type { VideoChanges } from "./changes.ts";

/** What a file of a video is. */
export type FilmFile =
  | { kind: "init" }
  /** `index` is its place in its rendition. */
  | { kind: "segment"; rendition: Rendition; index: number }
  | { kind: "strip" }
  | { kind: "captions" };

/** All that is served of a video. */
export interface Film {
  folder: string;
  renditions: Rendition[];
  strip: PreviewStrip | null;
  captions: Captions[];
  /** By their names; whatever is not here is not there. */
  files: Map<string, FilmFile>;
}

/** So many videos' files are kept in mind, of those that are watched. */
const MOST_CACHED = 200;
/** Lists show the posters of many more, and need nothing else of them. */
const MOST_POSTERS = 2_000;

/** Where a poster lies, and how its files are called. */
interface KnownPoster {
  folder: string;
  files: ReadonlySet<string>;
}

/** Knows the files of videos. */
export class Films {
  readonly #read: Tx;
  readonly #known: DatabaseCache<Film>;
  readonly #posters: DatabaseCache<KnownPoster>;

  constructor(read: Tx, changes: VideoChanges) {
    this.#read = read;
    this.#known = new DatabaseCache(changes, MOST_CACHED);
    this.#posters = new DatabaseCache(changes, MOST_POSTERS);
  }

  /** Null when there is no such video. */
  async find(id: number): Promise<Film | null> {
    return this.#known.get(String(id), () => this.#readFilm(id)).catch(nullIfNone);
  }

  /** The folder in which this file of the video's poster lies; null when it is none. */
  async folderOfPoster(id: number, file: string): Promise<string | null> {
    const poster = await this.#posters.get(String(id), () => this.#readPoster(id)).catch(nullIfNone);
    return poster?.files.has(file) ? poster.folder : null;
  }

  async #readPoster(id: number): Promise<KnownPoster> {
    const { folder, poster } = videos;
    const [row] = await this.#read.select({ folder, poster }).from(videos).where(eq(videos.id, id));
    if (!row?.poster) throw new NoFilm();
    return { folder: row.folder, files: new Set(pictureFiles(row.poster)) };
  }

  async #readFilm(id: number): Promise<Film> {
    const { folder, renditions, strip, captions } = videos;
    const [row] = await this.#read
      .select({ folder, renditions, strip, captions })
      .from(videos)
      .where(eq(videos.id, id));
    if (!row) throw new NoFilm();
    return { ...row, files: filesOf(row) };
  }
}

/** Nobody keeps in mind what is not there: it would push out what is. */
class NoFilm extends Error {}

function nullIfNone(error: unknown): null {
  if (error instanceof NoFilm) return null;
  throw error;
}

/** The files of a video in its folder, by their names; its poster's are not among them. */
export function filesOf({ renditions, strip, captions }: Omit<Film, "files">): Map<string, FilmFile> {
  const files = new Map<string, FilmFile>();
  for (const rendition of renditions) {
    files.set(rendition.init, { kind: "init" });
    for (const [index, { name }] of rendition.segments.entries())
      files.set(name, { kind: "segment", rendition, index });
  }
  if (strip) files.set(strip.file, { kind: "strip" });
  for (const { file } of captions) files.set(file, { kind: "captions" });
  return files;
}
