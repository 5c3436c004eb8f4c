import type { Stream, StreamOptions } from "./stream.ts";

/** The playlist as the browser plays it by itself: it knows no new signature, so it begins again at the same place. */
export function openStream(video: HTMLVideoElement, { url, startS, onLost }: StreamOptions): Stream {
  const over = new AbortController();
  let [placeS, latest] = [startS, url];
  const load = () => {
    const isPlaying = !video.paused;
    // Before anything is there, the element is at 0, and the viewer is not.
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
