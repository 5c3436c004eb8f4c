import type { Stream, StreamOptions } from "./stream.ts";

/**
 * Media Source Extensions, where the browser has them: a new signature then goes unnoticed, and the viewer can choose
 * the quality. Other browsers play the playlist themselves.
 */
const FEEDS = "MediaSource" in globalThis || "ManagedMediaSource" in globalThis;

const load = () => (FEEDS ? import("./hls-stream.ts") : import("./native-stream.ts"));

/** Prefetches the stream module. */
export const fetchAhead = (): void => void load().catch(() => undefined);

/** Starts to load a stream into an element. */
export async function openStream(video: HTMLVideoElement, options: StreamOptions): Promise<Stream> {
  const { openStream: open } = await load();
  return open(video, options);
}
