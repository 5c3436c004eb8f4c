import { freeSegments, type Rendition } from "#shared/video.ts";

export const PLAYLIST_TYPE = "application/vnd.apple.mpegurl";
export const MASTER = "index.m3u8";

const seconds = (ms: number) => (ms / 1_000).toFixed(3);

/** Lists the sizes (RFC 8216). Addresses are relative, so this playlist's signature covers them. */
export function masterPlaylist(renditions: readonly Rendition[]): string {
  const variants = renditions.flatMap((rendition, i) => [`#EXT-X-STREAM-INF:${streamOf(rendition)}`, variantName(i)]);
  return text(["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", ...variants]);
}

/** What was not measured is left out. */
function streamOf({ bandwidth, averageBandwidth, width, height, frameRate, codecs }: Rendition): string {
  return [
    `BANDWIDTH=${bandwidth}`,
    averageBandwidth && `AVERAGE-BANDWIDTH=${averageBandwidth}`,
    `RESOLUTION=${width}x${height}`,
    frameRate && `FRAME-RATE=${frameRate.toFixed(3)}`,
    `CODECS="${codecs}"`,
  ]
    .filter(Boolean)
    .join();
}

const variantName = (index: number) => `${index}.m3u8`;

/** The rendition whose playlist has this name. */
export function variantOf(renditions: readonly Rendition[], name: string): Rendition | undefined {
  return renditions.find((_, i) => variantName(i) === name);
}

/** The playlist of one size: whole, or with `freeMs` ending with the free part as if that were all. */
export function variantPlaylist({ init, segments }: Rendition, freeMs: number | null): string {
  const shown = freeMs === null ? segments : segments.slice(0, freeSegments(segments, freeMs));
  // Over all segments, so that it does not reveal the cut.
  const longest = Math.max(1, ...segments.map(({ ms }) => Math.ceil(ms / 1_000)));
  return text([
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${longest}`,
    "#EXT-X-MEDIA-SEQUENCE:0",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    `#EXT-X-MAP:URI="${init}"`,
    ...shown.flatMap(({ name, ms }) => [`#EXTINF:${seconds(ms)},`, name]),
    "#EXT-X-ENDLIST",
  ]);
}

const text = (lines: string[]) => `${lines.join("\n")}\n`;
