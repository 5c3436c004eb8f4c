import { useCallback, useEffect, useRef, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { Playback } from "#client/playback/playback.ts";
import type { Quality } from "#client/playback/stream.ts";
import type { Video } from "./use-video.ts";

interface Wanted {
  video: Video;
  /** The start position, in seconds. */
  startS: number;
  /** Requests a new URL, which arrives as a new `video`; resolves to whether it succeeded. */
  renew: () => Promise<boolean>;
}

/** Plays videos in an element one after another, each from its start position, in the chosen quality. */
export function usePlayback(element: HTMLVideoElement | null, { video, startS, renew }: Wanted) {
  const [playback, setPlayback] = useState<Playback | null>(null);
  const [qualities, onQualities] = useState<Quality[]>([]);
  const [height, setHeight] = useState<number | null>(null);
  const [isLost, onLost] = useState(false);
  const latest = useRef({ startS, renew });
  latest.current = { startS, renew };
  const { id, vod_play_url: url, is_see } = video;
  useEffect(() => {
    if (!element) return undefined;
    const { startS: from } = latest.current;
    const made = new Playback(element, { startS: from, renew: () => latest.current.renew(), onQualities, onLost });
    setPlayback(made);
    return () => made.close();
  }, [element, id]);
  useEffect(() => playback?.show({ url, isWhole: is_see === 1 }), [playback, url, is_see]);
  useEffect(() => {
    const onConnection = ({ up }: { up: boolean }) => up && playback?.retry();
    bus.on("connection", onConnection);
    return () => bus.off("connection", onConnection);
  }, [playback]);
  const quality = qualities.find((one) => one.height === height) ?? null;
  // Each opened stream starts with automatic quality, so the chosen one is set again.
  useEffect(() => {
    if (quality) playback?.choose(quality);
  }, [playback, quality]);
  const choose = useCallback(
    (chosen: Quality | null) => {
      setHeight(chosen?.height ?? null);
      playback?.choose(chosen);
    },
    [playback],
  );
  return { playback, qualities, quality, choose, isLost };
}
