import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { isOnLayer, useLayer } from "#client/app/layers.ts";

/**
 * The picture shown full screen, if any. While it is shown the address names it, so it can be shared; Back closes it.
 * `also` names the other URL parameters that exist only while a picture is shown.
 */
export function useViewer(also: readonly string[] = []) {
  const [params, setParams] = useSearchParams();
  // After a reload nothing is open any more, as with every layer.
  const [shown, show] = useState(() => (/^\d{1,3}$/.test(params.get("view") ?? "") && !isOnLayer() ? params : null));
  const opener = useRef<HTMLElement | null>(null);
  const isShown = shown !== null;
  const close = () => show(null);
  useLayer(isShown, close, shown ? `?${shown}` : undefined);

  // Below the picture of a shared address lies the screen itself.
  useEffect(() => {
    if (params.has("view")) setParams(without(params, ["view", ...also]), { replace: true, preventScrollReset: true });
    // Later the router's address never names a picture.
  }, []);
  useEffect(() => {
    if (isShown) return undefined;
    // A closing dialog moves the focus first.
    const frame = requestAnimationFrame(() => {
      opener.current?.focus({ preventScroll: true });
      opener.current = null;
    });
    return () => cancelAnimationFrame(frame);
  }, [isShown]);

  /** `from` is the tapped element; it gets the focus back afterwards. */
  function open(place: number, from: HTMLElement, more: Record<string, string> = {}): void {
    opener.current = from;
    show(new URLSearchParams({ ...Object.fromEntries(params), ...more, view: String(place) }));
  }

  return { place: shown && Number(shown.get("view")), id: shown?.get("id") ?? "", open, close };
}

function without(params: URLSearchParams, names: readonly string[]): URLSearchParams {
  const rest = new URLSearchParams(params);
  for (const name of names) rest.delete(name);
  return rest;
}
