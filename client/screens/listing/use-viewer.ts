import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useBack } from "#client/app/use-go.ts";

/**
 * The picture shown full screen, if any. It lives in the URL, so Back closes it. `also` names the other URL parameters
 * that exist only while a picture is shown.
 */
export function useViewer(also: readonly string[] = []) {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const back = useBack();
  const shown = params.get("view");
  // Only `open` below sets a state here.
  const wasOpenedHere = (state as { viewer?: boolean } | null)?.viewer === true;

  const opener = useRef<HTMLElement | null>(null);
  const isShown = shown !== null;
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
    const next = new URLSearchParams({ ...Object.fromEntries(params), ...more, view: String(place) });
    void navigate({ search: `?${next}` }, { preventScrollReset: true, state: { viewer: true } });
  }

  /** A visitor from a shared URL stays on the screen, without the picture. */
  function close(): void {
    if (wasOpenedHere) return back();
    const next = new URLSearchParams(params);
    for (const name of ["view", ...also]) next.delete(name);
    void navigate({ search: `?${next}` }, { preventScrollReset: true, replace: true });
  }

  return { place: shown !== null && /^\d{1,3}$/.test(shown) ? Number(shown) : null, open, close };
}
