import { useMediaFullscreenRef, useMediaRef } from "media-chrome/react/media-store";
import { useCallback, useEffect, useState } from "react";
import { useCaptions } from "./use-captions.ts";
import { useGo } from "#client/app/use-go.ts";
import { useMedia } from "#client/hooks/use-media.ts";
import { usePlayback } from "./use-playback.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import type { Video } from "#client/hooks/use-video.ts";
import { useVideoPreview } from "./use-video-preview.ts";
import { useWatchPlace } from "./use-watch-place.ts";
import type { VideoCard } from "#shared/contract/video.ts";
import { startOf } from "./start-of.ts";

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
