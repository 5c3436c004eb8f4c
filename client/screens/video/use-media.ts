import { MediaActionTypes, useMediaDispatch, useMediaSelector } from "media-chrome/react/media-store";
import { useMemo, useState } from "react";
import type { Video } from "./use-video.ts";

/** The seconds that a key, a button or a double tap skips. */
export const STEP_S = 10;
/** The speeds from the specification. */
export const SPEEDS = [0.75, 1, 1.5, 2] as const;

/** The state and the actions of the surrounding player. */
export function useMedia() {
  // The library returns a new function on each render, for the same store.
  const latest = useMediaDispatch();
  const [dispatch] = useState(() => latest);
  const now = {
    isPaused: useMediaSelector(({ mediaPaused }) => mediaPaused ?? true),
    isMuted: useMediaSelector(({ mediaMuted, mediaVolume }) => (mediaMuted ?? false) || mediaVolume === 0),
    volume: useMediaSelector(({ mediaVolume }) => mediaVolume ?? 1),
    speed: useMediaSelector(({ mediaPlaybackRate }) => mediaPlaybackRate ?? 1),
    isFull: useMediaSelector(({ mediaIsFullscreen }) => mediaIsFullscreen ?? false),
    isPip: useMediaSelector(({ mediaIsPip }) => mediaIsPip ?? false),
    canFill: useMediaSelector(({ mediaFullscreenUnavailable }) => mediaFullscreenUnavailable === undefined),
    canPip: useMediaSelector(({ mediaPipUnavailable }) => mediaPipUnavailable === undefined),
    canLoud: useMediaSelector(({ mediaVolumeUnavailable }) => mediaVolumeUnavailable === undefined),
  };
  const { isPaused, isMuted, isFull, isPip } = now;
  const acts = useMemo(() => {
    const either = (is: boolean, off: string, on: string) => () => dispatch({ type: is ? off : on });
    const { MEDIA_VOLUME_REQUEST, MEDIA_PLAYBACK_RATE_REQUEST, MEDIA_SEEK_REQUEST } = MediaActionTypes;
    const types = MediaActionTypes;
    return {
      togglePlay: either(!isPaused, types.MEDIA_PAUSE_REQUEST, types.MEDIA_PLAY_REQUEST),
      toggleMute: either(isMuted, types.MEDIA_UNMUTE_REQUEST, types.MEDIA_MUTE_REQUEST),
      toggleFull: either(isFull, types.MEDIA_EXIT_FULLSCREEN_REQUEST, types.MEDIA_ENTER_FULLSCREEN_REQUEST),
      togglePip: either(isPip, types.MEDIA_EXIT_PIP_REQUEST, types.MEDIA_ENTER_PIP_REQUEST),
      setVolume: (volume: number) => dispatch({ type: MEDIA_VOLUME_REQUEST, detail: volume }),
      setSpeed: (speed: number) => dispatch({ type: MEDIA_PLAYBACK_RATE_REQUEST, detail: speed }),
      seek: (seconds: number) => dispatch({ type: MEDIA_SEEK_REQUEST, detail: seconds }),
    };
  }, [dispatch, isPaused, isMuted, isFull, isPip]);
  return { ...now, ...acts };
}

export type Media = ReturnType<typeof useMedia>;

/** The position, the duration and the end of the buffer, in seconds. Of a preview, `wholeS` is the whole video's length. */
export function useMediaTime(wholeS: number | null) {
  const positionS = useMediaSelector(({ mediaCurrentTime }) => mediaCurrentTime ?? 0);
  const sentS = useMediaSelector(({ mediaDuration }) => (Number.isFinite(mediaDuration) ? mediaDuration! : 0));
  const fetchedS = useMediaSelector(({ mediaBuffered = [], mediaCurrentTime = 0 }) => {
    const around = mediaBuffered.find(([from, to]) => from <= mediaCurrentTime + 1 && mediaCurrentTime <= to);
    return around?.[1] ?? 0;
  });
  return { positionS, durationS: wholeS ?? sentS, fetchedS };
}

export type Chapter = Video["chapters"][number];

/** The chapter at a position in seconds; undefined where there are none. */
export const chapterAt = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapters.findLast(({ start }) => start <= seconds);

/** The chapter now playing. */
export const useMediaChapter = (chapters: readonly Chapter[]): Chapter | undefined =>
  useMediaSelector(({ mediaCurrentTime = 0 }) => chapterAt(chapters, mediaCurrentTime));
