import { text as readText } from "node:stream/consumers";
import { eventStamp } from "#db/database-cache.ts";
import type { Deps } from "#server/app/deps.ts";
import type { PictureFormat } from "#shared/picture.ts";
import { SECOND_MS } from "#shared/time.ts";
import { freeSegments } from "#shared/video.ts";
import { CAPTIONS_TYPE, cutCaptions } from "./captions.ts";
import { VideoFiles, type ServedVideo, type VideoFile } from "./video-files.ts";
import { UrlSigner } from "./url-signer.ts";
import { MASTER, masterPlaylist, PLAYLIST_TYPE, variantOf, variantPlaylist } from "./playlists.ts";
import { mediaOf, type Media } from "./send-media.ts";
import { ViewerStatusCache } from "./viewer-status.ts";

const TYPES = { init: "video/mp4", segment: "video/mp4", strip: "image/jpeg", captions: CAPTIONS_TYPE };
const POSTER_TYPES = { avif: "image/avif", webp: "image/webp" };

/**
 * Decides at each request who may fetch which file of a video. Playlists are written per request. A viewer without
 * membership gets the free beginning, and no file beyond it under any name.
 */
export class Gate {
  readonly #deps: Pick<Deps, "clock" | "settings" | "storage">;
  readonly #passes: UrlSigner;
  readonly #viewers: ViewerStatusCache;
  readonly #files: VideoFiles;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#passes = new UrlSigner(deps.keys);
    this.#viewers = new ViewerStatusCache(deps);
    this.#files = new VideoFiles(deps.db.read, eventStamp(deps.bus, "videos.changed"));
  }

  /** Null is a refusal. It does not reveal whether the video or the file exists. */
  async open(asked: { pass: string; videoId: number; name: string }): Promise<Media | null> {
    const { clock, settings } = this.#deps;
    const pass = this.#passes.read(asked.pass, asked.videoId, clock.now());
    const status = pass ? await this.#viewers.statusOf(pass.sessionId) : "nobody";
    if (status === "nobody") return null;
    const format = posterFormat(asked.name);
    if (format) return this.#openPoster(asked, POSTER_TYPES[format]);
    const video = await this.#files.find(asked.videoId);
    if (!video) return null;
    const freeMs = status === "member" ? null : settings.get<number>("free_see_time") * SECOND_MS;
    const rendition = variantOf(video.renditions, asked.name);
    if (asked.name === MASTER) return mediaOf(PLAYLIST_TYPE, masterPlaylist(video.renditions));
    if (rendition) return mediaOf(PLAYLIST_TYPE, variantPlaylist(rendition, freeMs));
    return this.#openFile(video, asked.name, freeMs);
  }

  /** A poster shows only what is free, so every viewer may fetch it. */
  async #openPoster({ videoId, name }: { videoId: number; name: string }, type: string): Promise<Media | null> {
    const folder = await this.#files.folderOfPoster(videoId, name);
    return folder === null ? null : this.#openStored(folder, name, type);
  }

  /** `freeMs` is the free length; null when the whole video may be seen. */
  async #openFile(video: ServedVideo, name: string, freeMs: number | null): Promise<Media | null> {
    const file = video.files.get(name);
    if (!file || !mayFetch(file, freeMs)) return null;
    const media = await this.#openStored(video.folder, name, TYPES[file.kind]);
    if (media && file.kind === "captions" && freeMs !== null) {
      const whole = await readText(media.pieces() as AsyncIterable<Buffer>);
      return mediaOf(media.type, cutCaptions(whole, freeEnd(video, freeMs)));
    }
    return media;
  }

  /** A name never gets other bytes, so it serves as the etag. */
  async #openStored(folder: string, name: string, type: string): Promise<Media | null> {
    const stored = await this.#deps.storage.find(`${folder}/${name}`);
    return stored && { type, size: stored.size, etag: `"${name}"`, pieces: (part) => stored.pieces(part) };
  }
}

/** A poster's format by its file name; undefined for any other name. */
const posterFormat = (name: string) => /\.(avif|webp)$/.exec(name)?.[1] as PictureFormat | undefined;

function mayFetch(file: VideoFile, freeMs: number | null): boolean {
  if (freeMs === null || file.kind === "init" || file.kind === "captions") return true;
  // The strip shows the whole video.
  return file.kind === "segment" && file.index < freeSegments(file.rendition.segments, freeMs);
}

/** When the last of the free segments ends. */
function freeEnd({ renditions }: ServedVideo, freeMs: number): number {
  const ends = renditions.map(({ segments }) =>
    segments.slice(0, freeSegments(segments, freeMs)).reduce((sum, { ms }) => sum + ms, 0),
  );
  return Math.min(...ends);
}
