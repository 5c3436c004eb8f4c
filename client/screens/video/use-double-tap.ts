import { useEffect, useRef, useState, type PointerEvent } from "react";
import { STEP_S } from "./use-media.ts";

/** Two taps within this time, in ms, are one gesture. */
const TOGETHER_MS = 300;
/** For how long it is shown what a gesture did. */
const SHOWN_MS = 600;
/** The outer parts of the picture that take it, each side. */
const SIDE = 0.35;

type Way = -1 | 0 | 1;

/** Which way somebody went, and how far in all while they keep on tapping. */
export interface Skip {
  way: Way;
  seconds: number;
}

function sideOf(x: number, area: Element): Way {
  const { left, width } = area.getBoundingClientRect();
  const part = (x - left) / width;
  if (part < SIDE) return -1;
  return part > 1 - SIDE ? 1 : 0;
}

/** Two taps of a finger on either side of a video lead ten seconds back or on, each further one ten more. */
export function useDoubleTap(onSkip: (seconds: number) => void) {
  const [skip, setSkip] = useState<Skip | null>(null);
  const last = useRef<{ at: number; way: Way; count: number }>({ at: 0, way: 0, count: 0 });
  useEffect(() => {
    const shown = skip && setTimeout(() => setSkip(null), SHOWN_MS);
    return () => clearTimeout(shown ?? undefined);
  }, [skip]);
  /** Whether the tap belongs to such a gesture, and so means nothing else. */
  const tap = ({ clientX, currentTarget, timeStamp: at }: PointerEvent): boolean => {
    const way = sideOf(clientX, currentTarget);
    const isNext = way !== 0 && way === last.current.way && at - last.current.at < TOGETHER_MS;
    const count = isNext ? last.current.count + 1 : 0;
    last.current = { at, way, count };
    if (!isNext) return false;
    onSkip(way * STEP_S);
    setSkip({ way, seconds: count * STEP_S });
    return true;
  };
  return { skip, tap };
}
