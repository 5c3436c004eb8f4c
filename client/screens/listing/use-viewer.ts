import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useBack } from "#client/app/use-go.ts";

/**
 * Which picture is shown over the whole screen, if any. It stands in the address, so that Back closes it. `also` are
 * the names of what else in the address is only there while one is shown.
 */
export function useViewer(also: readonly string[] = []) {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const back = useBack();
  const shown = params.get("view");
  // Nothing else puts a state there.
  const wasOpenedHere = (state as { viewer?: boolean } | null)?.viewer === true;

  const opener = useRef<HTMLElement | null>(null);
  const isShown = shown !== null;
  useEffect(() => {
    if (isShown) return undefined;
    // Pop-ups give the focus to somebody first when they go.
    const frame = requestAnimationFrame(() => {
      opener.current?.focus({ preventScroll: true });
      opener.current = null;
    });
    return () => cancelAnimationFrame(frame);
  }, [isShown]);

  /** `from` is what was tapped, where the focus goes afterwards. */
  function open(place: number, from: HTMLElement, more: Record<string, string> = {}): void {
    opener.current = from;
    const next = new URLSearchParams({ ...Object.fromEntries(params), ...more, view: String(place) });
    void navigate({ search: `?${next}` }, { preventScrollReset: true, state: { viewer: true } });
  }

  /** Who came by a shared address stays where they are, without the picture. */
  function close(): void {
    if (wasOpenedHere) return back();
    const next = new URLSearchParams(params);
    for (const name of ["view", ...also]) next.delete(name);
    void navigate({ search: `?${next}` }, { preventScrollReset: true, replace: true });
  }

  return { place: shown !== null && /^\d{1,3}$/.test(shown) ? Number(shown) : null, open, close };
}
