import { useEffect, useLayoutEffect } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";

/** How far down each place in the history was left. */
const places = new Map<string, number>();
/** A list may need a moment until it is as long as it was. */
const PATIENCE_MS = 1_500;

/** New screens begin at the top; going back leads to the very place that was left. */
export function useScrollMemory(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  useEffect(() => {
    history.scrollRestoration = "manual";
  }, []);
  useLayoutEffect(() => {
    const stop = goTo(how === NavigationType.Pop ? (places.get(key) ?? 0) : 0);
    const remember = () => places.set(key, window.scrollY);
    window.addEventListener("scroll", remember, { passive: true });
    return () => {
      stop();
      window.removeEventListener("scroll", remember);
    };
  }, [key, how]);
}

/** Scrolls there, again and again until the page is long enough, or the member scrolls. */
function goTo(top: number): () => void {
  window.scrollTo(0, top);
  const givenUpAt = performance.now() + PATIENCE_MS;
  let frame = requestAnimationFrame(function again() {
    if (Math.abs(window.scrollY - top) < 1 || performance.now() > givenUpAt) return;
    window.scrollTo(0, top);
    frame = requestAnimationFrame(again);
  });
  const stop = () => cancelAnimationFrame(frame);
  for (const event of ["wheel", "touchstart", "keydown"]) window.addEventListener(event, stop, { once: true });
  return stop;
}
