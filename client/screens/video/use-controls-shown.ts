import { useCallback, useEffect, useRef, useState } from "react";

/** So long after the last move, in ms, nothing lies over a picture that plays. */
const QUIET_MS = 3_000;

/** Whether the controls are to be seen: while it stands still, and a moment after each move of a hand or a key. */
export function useControlsShown(area: HTMLElement | null, isPaused: boolean) {
  const [isAwake, setAwake] = useState(true);
  const quiet = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sleep = useCallback(() => {
    clearTimeout(quiet.current);
    setAwake(false);
  }, []);
  const wake = useCallback(() => {
    setAwake(true);
    clearTimeout(quiet.current);
    quiet.current = setTimeout(() => setAwake(false), QUIET_MS);
  }, []);
  useEffect(() => {
    if (!area) return undefined;
    const over = new AbortController();
    const { signal } = over;
    wake();
    const isMouse = ({ pointerType }: PointerEvent) => pointerType === "mouse";
    area.addEventListener("pointermove", (event) => isMouse(event) && wake(), { signal });
    area.addEventListener("pointerleave", (event) => isMouse(event) && sleep(), { signal });
    // Whatever of them is used keeps them there; somebody may also be on the way to them by key.
    for (const name of ["focusin", "input", "click"]) area.addEventListener(name, wake, { signal });
    document.addEventListener("keydown", wake, { signal });
    return () => {
      over.abort();
      clearTimeout(quiet.current);
    };
  }, [area, isPaused, wake, sleep]);
  return { isShown: isPaused || isAwake, toggle: isAwake ? sleep : wake };
}
