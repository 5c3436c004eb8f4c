import type { Stream, StreamOptions } from "./stream.ts";

/**
 * The stream through the browser's own HLS player. It cannot swap a signature, so a renewal reloads at the same
 * position.
 */
export function openStream(video: HTMLVideoElement, { url, startS, onLost }: StreamOptions): Stream {
  const over = new AbortController();
  let [placeS, latest] = [startS, url];
  const load = () => {
    const isPlaying = !video.paused;
    // Before any data has loaded, `currentTime` is 0, not the viewer's position.
    if (video.readyState > 0) placeS = video.currentTime;
    video.src = latest;
    if (isPlaying) void video.play().catch(() => undefined);
  };
  video.addEventListener("loadedmetadata", () => (video.currentTime = placeS), { signal: over.signal });
  video.addEventListener("error", () => onLost(true), { signal: over.signal });
  load();
  return {
    renew(next) {
      if (next === latest) return;
      latest = next;
      load();
    },
    goOn: load,
    choose: () => undefined,
    close() {
      over.abort();
      video.removeAttribute("src");
      video.load();
    },
  };
}
