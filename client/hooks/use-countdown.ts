import { useEffect, useState } from "react";
import { serverTime } from "#client/api/server-time.ts";
import { SECOND_MS } from "#shared/time.ts";

/** Whole seconds, rounded up, until a moment of the server's clock; 0 if it is past or unknown. */
export function useCountdown(untilMs: number | null): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(untilMs));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      const left = secondsUntil(untilMs);
      setSeconds(left);
      const now = serverTime.now();
      if (left === 0 || now === null || untilMs === null) return;
      // The next tick comes when the remaining time is a whole second again.
      timer = setTimeout(tick, ((untilMs - now) % SECOND_MS) + 5);
    };
    tick();
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [untilMs]);
  return seconds;
}

function secondsUntil(untilMs: number | null): number {
  const now = serverTime.now();
  return untilMs === null || now === null ? 0 : Math.max(0, Math.ceil((untilMs - now) / SECOND_MS));
}
