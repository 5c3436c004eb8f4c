import { useEffect, useRef, useState, type PointerEvent } from "react";
import { STEP_S } from "./use-media.ts";

/** Two taps within this time, in ms, form one gesture. */
const TOGETHER_MS = 300;
/** How long the result of a gesture is shown, in ms. */
const SHOWN_MS = 600;
/** The share of the picture's width, on each side, that takes the gesture. */
const SIDE = 0.35;

type Way = -1 | 0 | 1;

/** The direction of a skip, and its total seconds while the taps continue. */
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

/** A double tap on either side skips ten seconds back or forward; each further tap adds ten. */
export function useDoubleTap(onSkip: (seconds: number) => void) {
  const [skip, setSkip] = useState<Skip | null>(null);
  const last = useRef<{ at: number; way: Way; count: number }>({ at: 0, way: 0, count: 0 });
  useEffect(() => {
    const shown = skip && setTimeout(() => setSkip(null), SHOWN_MS);
    return () => clearTimeout(shown ?? undefined);
  }, [skip]);
  /** Whether the tap belongs to a double tap and must have no other effect. */
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
