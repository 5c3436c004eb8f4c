import { useMediaFullscreenRef, useMediaRef } from "media-chrome/react/media-store";
import { useCallback, useEffect, useState } from "react";
import { useGo } from "#client/app/use-go.ts";
import { useMedia } from "./use-media.ts";
import { usePlayback } from "./use-playback.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import { freeLength, type Video } from "./use-video.ts";
import { useVideoPreview } from "./use-video-preview.ts";
import { useWatchPlace } from "./use-watch-place.ts";
import type { VideoCard } from "#shared/contract/video.ts";

export interface Shown {
  video: Video;
  /** The saved watch position, in seconds. */
  placeS: number;
  next: VideoCard | undefined;
  /** Requests a new URL, which arrives as a new `video`; resolves to whether it succeeded. */
  renew: () => Promise<boolean>;
}

/** A ref that gives an element both to the player's store and to our own code. */
function useElement<E extends HTMLElement>(latest: (element: E | null) => void) {
  // The library returns a new callback on each render, for the same store.
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

/** The state of a player: playback, preview limit, watch position and keyboard shortcuts. */
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
  // Opening a video counts as a request to play it.
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

/** A position this near either end, in seconds, starts the video over. */
const NEAR_S = 5;

/** The start of a video: the saved position, unless it is near either end of what the viewer may watch. */
function startOf(video: Video, placeS: number): number {
  const endS = freeLength(video) - (video.is_see === 1 ? NEAR_S : 1);
  return placeS >= NEAR_S && placeS < endS ? placeS : 0;
}

const captionsOf = ({ textTracks }: HTMLVideoElement) => [...textTracks].filter(({ kind }) => kind === "captions");

/** The language of the shown captions; null for none. Overrides the browser's own choice. */
function useCaptions(element: HTMLVideoElement | null) {
  const [lang, setLang] = useState<string | null>(null);
  useEffect(() => {
    if (!element) return undefined;
    const show = () => {
      for (const track of captionsOf(element)) track.mode = track.language === lang ? "showing" : "disabled";
    };
    show();
    // Each new signature adds new text tracks.
    element.textTracks.addEventListener("addtrack", show);
    return () => element.textTracks.removeEventListener("addtrack", show);
  }, [element, lang]);
  const toggle = useCallback(
    () => setLang((shown) => (shown === null ? ((element && captionsOf(element)[0]?.language) ?? null) : null)),
    [element],
  );
  return { lang, choose: setLang, toggle };
}
