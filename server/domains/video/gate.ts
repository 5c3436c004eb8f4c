import { text as readText } from "node:stream/consumers";
import type { Deps } from "#server/deps.ts";
import { SECOND_MS } from "#shared/time.ts";
import { freeSegments } from "#shared/video.ts";
import { CAPTIONS_TYPE, cutCaptions } from "./captions.ts";
import { VideoChanges } from "./changes.ts";
import { Films, type Film, type FilmFile } from "./films.ts";
import { Passes } from "./passes.ts";
import { MASTER, masterPlaylist, PLAYLIST_TYPE, variantOf, variantPlaylist } from "./playlists.ts";
import { mediaOf, type Media } from "./send-media.ts";
import { Viewers } from "./viewers.ts";

const TYPES = { init: "video/mp4", segment: "video/mp4", strip: "image/jpeg", captions: CAPTIONS_TYPE };

/**
 * Decides, at each request, who may have what of a video. Playlists are written for each who asks; whoever is no member
 * gets the beginning alone, and none of the files beyond it by whatever name.
 */
export class Gate {
  readonly #deps: Pick<Deps, "clock" | "settings" | "storage">;
  readonly #passes: Passes;
  readonly #viewers: Viewers;
  readonly #films: Films;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#passes = new Passes(deps.keys);
    this.#viewers = new Viewers(deps);
    this.#films = new Films(deps.db.read, new VideoChanges(deps));
  }

  /** Null for a no: it does not tell whether there is such a video, such a file, or neither. */
  async open(asked: { pass: string; videoId: number; name: string }): Promise<Media | null> {
    const { clock, settings } = this.#deps;
    const pass = this.#passes.read(asked.pass, asked.videoId, clock.now());
    const standing = pass ? await this.#viewers.standingOf(pass.sessionId) : "nobody";
    const film = standing === "nobody" ? null : await this.#films.find(asked.videoId);
    if (!film) return null;
    const freeMs = standing === "member" ? null : settings.get<number>("free_see_time") * SECOND_MS;
    const rendition = variantOf(film.renditions, asked.name);
    if (asked.name === MASTER) return mediaOf(PLAYLIST_TYPE, masterPlaylist(film.renditions));
    if (rendition) return mediaOf(PLAYLIST_TYPE, variantPlaylist(rendition, freeMs));
    return this.#openFile(film, asked.name, freeMs);
  }

  /** `freeMs` is how much of it is free; null where all of it may be seen. */
  async #openFile(film: Film, name: string, freeMs: number | null): Promise<Media | null> {
    const file = film.files.get(name);
    if (!file || !mayFetch(file, freeMs)) return null;
    const stored = await this.#deps.storage.find(`${film.folder}/${name}`);
    if (!stored) return null;
    const type = TYPES[file.kind];
    if (file.kind === "captions" && freeMs !== null) {
      const whole = await readText(stored.read() as AsyncIterable<Buffer>);
      return mediaOf(type, cutCaptions(whole, freeEnd(film, freeMs)));
    }
    return { type, size: stored.size, etag: `"${name}"`, read: (part) => stored.read(part) };
  }
}

function mayFetch(file: FilmFile, freeMs: number | null): boolean {
  if (freeMs === null || file.kind === "init" || file.kind === "captions") return true;
  // The strip shows the whole video.
  return file.kind === "segment" && file.index < freeSegments(file.rendition.segments, freeMs);
}

/** When the last of the free segments ends. */
function freeEnd({ renditions }: Film, freeMs: number): number {
  const ends = renditions.map(({ segments }) =>
    segments.slice(0, freeSegments(segments, freeMs)).reduce((sum, { ms }) => sum + ms, 0),
  );
  return Math.min(...ends);
}
