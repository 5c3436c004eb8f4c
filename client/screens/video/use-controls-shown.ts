import { useCallback, useEffect, useRef, useState } from "react";

/** Controls over a playing video hide this long after the last input, in ms. */
const QUIET_MS = 3_000;

/** Whether the controls are visible: while paused, and for a moment after each mouse, touch or key input. */
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
    // Using a control keeps all visible, as does any key, which may be moving the focus to one.
    for (const name of ["focusin", "input", "click"]) area.addEventListener(name, wake, { signal });
    document.addEventListener("keydown", wake, { signal });
    return () => {
      over.abort();
      clearTimeout(quiet.current);
    };
  }, [area, isPaused, wake, sleep]);
  return { isShown: isPaused || isAwake, toggle: isAwake ? sleep : wake };
}
