import type { Stream, StreamOptions } from "./stream.ts";

/**
 * Where a browser lets us feed it, we do: then a new signature changes nothing for whoever watches, and there is a
 * choice of sizes. Only a browser without this plays the playlist by itself.
 */
const FEEDS = "MediaSource" in globalThis || "ManagedMediaSource" in globalThis;

const load = () => (FEEDS ? import("./hls-stream.ts") : import("./native-stream.ts"));

/** Fetches what plays, so that it is there when there is something to play. */
export const fetchAhead = (): void => void load().catch(() => undefined);

/** Begins to fetch a stream into an element. */
export async function openStream(video: HTMLVideoElement, options: StreamOptions): Promise<Stream> {
  const { openStream: open } = await load();
  return open(video, options);
}
