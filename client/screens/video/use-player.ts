import { useMediaFullscreenRef, useMediaRef } from "media-chrome/react/media-store";
import { useCallback, useEffect, useState } from "react";
import { useGo } from "#client/app/use-go.ts";
import { useMedia } from "./use-media.ts";
import { usePlayback } from "./use-playback.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import type { Video } from "./use-video.ts";
import { useVideoPreview } from "./use-video-preview.ts";
import { useWatchPlace } from "./use-watch-place.ts";
import type { VideoCard } from "#shared/contract/video.ts";

export interface Shown {
  video: Video;
  /** Where it was left, in seconds. */
  placeS: number;
  next: VideoCard | undefined;
  /** Asks for another address, which comes as another `video`; whether there is one. */
  renew: () => Promise<boolean>;
}

/** An element that both the store of the player and our own parts know. */
function useElement<E extends HTMLElement>(latest: (element: E | null) => void) {
  // The library makes another each time, of the same store.
  const [tellStore] = useState(() => latest);
  const [element, setElement] = useState<E | null>(null);
  const ref = useCallback(
    (made: E | null) => {
      tellStore(made);
      setElement(made);
    },
    [tellStore],
  );
  return [element, ref] as const;
}

/** All that moves in a player: what plays, what may be watched of it, where it was left, and the keys. */
export function usePlayer({ video, placeS, next, renew }: Shown) {
  const go = useGo();
  const [element, videoRef] = useElement<HTMLVideoElement>(useMediaRef());
  const [area, areaRef] = useElement<HTMLDivElement>(useMediaFullscreenRef());
  const startS = startOf(video, placeS);
  const { playback, isLost, ...sizes } = usePlayback(element, { video, startS, renew });
  const play = useCallback(() => playback?.play(), [playback]);
  const nextId = next?.id;
  const leave = useCallback(() => {
    if (nextId) go(`/PlayVideo?id=${nextId}`, { replace: true });
  }, [go, nextId]);
  const preview = useVideoPreview(element, video, { play, leave });
  const captions = useCaptions(element);
  const media = useMedia();
  useWatchPlace(element, video.id);
  usePlayerKeys({ ...media, element, toggleCaptions: captions.toggle });
  // It was chosen to be watched.
  useEffect(play, [play]);
  const choices = {
    area,
    qualities: sizes.qualities,
    quality: sizes.quality,
    onQuality: sizes.choose,
    shownCaptions: captions.lang,
    onCaptions: captions.choose,
  };
  return { ...preview, isLost, playback, choices, media, element, area, refs: { videoRef, areaRef } };
}

export type Playing = ReturnType<typeof usePlayer>;

/** A place this near either end, in seconds, starts the video over. */
const NEAR_S = 5;

/** Where a video begins: where it was left, if there is more to see of it from there. */
function startOf({ is_see, free_see_time, duration }: Video, placeS: number): number {
  const endS = is_see === 1 ? duration - NEAR_S : Math.min(free_see_time, duration) - 1;
  return placeS >= NEAR_S && placeS < endS ? placeS : 0;
}

const captionsOf = ({ textTracks }: HTMLVideoElement) => [...textTracks].filter(({ kind }) => kind === "captions");

/** Which captions are shown, by their language; null for none. A browser's own choice is left to whoever watches. */
function useCaptions(element: HTMLVideoElement | null) {
  const [lang, setLang] = useState<string | null>(null);
  useEffect(() => {
    if (!element) return undefined;
    const show = () => {
      for (const track of captionsOf(element)) track.mode = track.language === lang ? "showing" : "disabled";
    };
    show();
    // Each new signature brings tracks of its own.
    element.textTracks.addEventListener("addtrack", show);
    return () => element.textTracks.removeEventListener("addtrack", show);
  }, [element, lang]);
  const toggle = useCallback(
    () => setLang((shown) => (shown === null ? ((element && captionsOf(element)[0]?.language) ?? null) : null)),
    [element],
  );
  return { lang, choose: setLang, toggle };
}
