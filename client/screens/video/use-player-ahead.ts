import { useEffect } from "react";
import { SECOND_MS } from "#shared/time.ts";

/** The list and its pictures come first. */
const AFTER_MS = SECOND_MS;

/** Whoever looks around in the hall is about to watch: the player is fetched before a video is tapped. */
export function usePlayerAhead(): void {
  useEffect(() => {
    // What does not come now is asked for again when it is shown.
    const timer = setTimeout(() => void import("./PlayVideo.tsx").catch(() => undefined), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
