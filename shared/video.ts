import { localTexts, type LocaleCode, type LocalText } from "./locales.ts";
import type { Picture } from "./picture.ts";
import { toSeconds } from "./time.ts";

/** One piece of a rendition, in the order they are watched. Its file lies in the video's folder. */
export interface Segment {
  name: string;
  ms: number;
}

/** A video at one size, as fragmented MP4. */
export interface Rendition {
  width: number;
  height: number;
  /** The peak bandwidth of its segments, in bits per second. */
  bandwidth: number;
  /** The mean over all of them; videos imported before it was measured have none. */
  averageBandwidth?: number;
  /** Pictures in a second; videos imported before they were counted have none. */
  frameRate?: number;
  /** The codecs parameter, as in RFC 6381. */
  codecs: string;
  /** The init segment: codec data that every player reads first. It shows no picture. */
  init: string;
  segments: Segment[];
}

/** Thumbnails of the whole video in one picture, row after row. */
export interface PreviewStrip {
  file: string;
  columns: number;
  count: number;
  everyMs: number;
  width: number;
  height: number;
}

/** WebVTT captions in one language (a BCP 47 tag). */
export interface Captions {
  lang: string;
  file: string;
}

/** A part of a video, up to where the next one starts. */
export interface Chapter {
  /** Whole seconds from the video's beginning. */
  start: number;
  title: LocalText;
}

/** How many segments viewers without a membership may see: up to the one in which the free time ends. */
export function freeSegments(segments: readonly Pick<Segment, "ms">[], freeMs: number): number {
  let startMs = 0;
  let free = 0;
  for (; free < segments.length && startMs < freeMs; free++) startMs += segments[free]!.ms;
  return free;
}

export const videoWireId = (id: number): string => `vid_${id}`;

/** What a card shows of a video. */
export interface ShownVideo {
  id: number;
  title: LocalText;
  durationMs: number;
  publishedAt: number;
  plays: number;
  poster: Picture | null;
  demo: boolean;
}

/** `posterUrl` is the poster's address, signed for the viewer of the card. */
export function videoCard(video: ShownVideo, locale: LocaleCode, posterUrl: string) {
  const { poster } = video;
  return {
    id: videoWireId(video.id),
    ...localTexts({ vod_name: video.title }, locale),
    vod_pic: posterUrl,
    vod_shape: poster && { widths: poster.widths, ratio: poster.ratio, blur: poster.blur },
    count: video.plays,
    time: toSeconds(video.publishedAt),
    duration: Math.round(video.durationMs / 1_000),
    demo: video.demo ? (1 as const) : (0 as const),
  };
}
