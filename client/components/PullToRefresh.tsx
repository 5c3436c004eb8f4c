import { useQueryClient } from "@tanstack/react-query";
import { ArrowDown, LoaderCircle } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  /** Refetches; the spinner stays until the promise settles. */
  onRefresh: () => Promise<unknown>;
  children: ReactNode;
}

/** A page refreshed by pulling it down. The button at the top of the list does the same. */
export function PullToRefresh({ onRefresh, children }: Props) {
  const { phase, pulled } = usePull(onRefresh);
  return (
    <div className="relative">
      <div style={{ height: pulled }} className="-mt-4 overflow-hidden transition-[height] duration-150">
        <p role="status" className="flex h-16 items-center justify-center gap-2 text-sm text-muted">
          {phase !== "idle" && <PullLabel phase={phase} />}
        </p>
      </div>
      <div className="pt-4">{children}</div>
    </div>
  );
}

function PullLabel({ phase }: { phase: Exclude<Pull, "idle"> }) {
  const text = useText();
  return (
    <>
      {phase === "loading" ? (
        <LoaderCircle size={18} aria-hidden className="animate-wait" />
      ) : (
        <ArrowDown
          size={18}
          aria-hidden
          className={`transition-transform duration-200 ${phase === "ready" ? "rotate-180" : ""}`}
        />
      )}
      {text(`pull.${phase}`)}
    </>
  );
}

/** Returns a function that fetches anew and says how it went. */
export function useRefresh(renew: () => Promise<{ isError: boolean; error: unknown }>): () => Promise<void> {
  const [text, failure] = [useText(), useFailureText()];
  return async () => {
    const { isError, error } = await renew();
    showToast(isError ? failure(error) : text("state.refreshed"), isError ? "bad" : "good");
  };
}

/** The same for all that is on the screen. */
export function useRefreshAll(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useRefresh(async () => {
    await queryClient.invalidateQueries();
    const shown = queryClient.getQueryCache().findAll({ type: "active" });
    const error = shown.find(({ state }) => state.status === "error")?.state.error ?? null;
    return { isError: error !== null, error };
  });
}

/** The pull, in pixels, that refreshes on release, and the farthest the page moves. */
const FAR_ENOUGH = 64;
const FARTHEST = 96;
/** The page moves by this share of the finger's movement, like a spring. */
const SPRING = 0.5;
/** The delay between release and refresh, from the specification. */
const DELAY_MS = 500;

type Pull = "idle" | "pulling" | "ready" | "loading";

/**
 * Refreshes when a page is pulled down from its top and released. Calls `refresh` half a second later and waits for its
 * promise. Returns the phase and the pull in pixels.
 */
function usePull(refresh: () => Promise<unknown>) {
  const [{ phase, pulled }, show] = useState({ phase: "idle" as Pull, pulled: 0 });
  const latest = useRef(refresh);
  useLayoutEffect(() => {
    latest.current = refresh;
  });
  useLayoutEffect(() => {
    // At once: the finger may go before the page shows how far it has pulled.
    let now: Pull = "idle";
    const turn = (phase: Pull, pulled: number) => {
      now = phase;
      show({ phase, pulled });
    };
    const load = async () => {
      turn("loading", FAR_ENOUGH);
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      await latest.current().catch(() => undefined);
      turn("idle", 0);
    };
    return followFinger({
      isFree: () => window.scrollY <= 0 && now !== "loading",
      onPull: (pulled) => turn(phaseAt(pulled), pulled),
      onRelease: () => (now === "ready" ? void load() : turn("idle", 0)),
    });
  }, []);
  return { phase, pulled };
}

const phaseAt = (pulled: number): Pull => (pulled <= 0 ? "idle" : pulled >= FAR_ENOUGH ? "ready" : "pulling");

/** Whether something around an element is scrolled down. */
function isScrolled(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) if (at.scrollTop > 0) return true;
  return false;
}

interface Following {
  isFree: () => boolean;
  onPull: (pulled: number) => void;
  onRelease: () => void;
}

/** Reports how far one finger has pulled the page down. Returns a function that stops it. */
function followFinger({ isFree, onPull, onRelease }: Following): () => void {
  let from: { x: number; y: number } | null = null;
  let isPulling = false;
  const begin = ({ touches, target }: TouchEvent) => {
    // Touches on overlays do not pull the page, nor do those on a list that is scrolled in itself.
    const isPage = target instanceof Element && target.closest("main") !== null && !isScrolled(target);
    const { clientX: x, clientY: y } = touches[0]!;
    from = isPage && touches.length === 1 && isFree() ? { x, y } : null;
    isPulling = false;
  };
  const move = (event: TouchEvent) => {
    if (from === null) return;
    const { clientX, clientY } = event.touches[0]!;
    const way = clientY - from.y;
    // A gesture that starts sideways is a swipe between tabs.
    if (!isPulling && Math.abs(clientX - from.x) > Math.abs(way)) from = null;
    if (from === null) return;
    isPulling = true;
    const isDown = way > 0 && window.scrollY <= 0;
    // The page itself must not scroll during the pull.
    if (isDown && event.cancelable) event.preventDefault();
    onPull(isDown ? Math.min(FARTHEST, way * SPRING) : 0);
  };
  const end = () => {
    if (from !== null) onRelease();
    from = null;
  };
  document.addEventListener("touchstart", begin, { passive: true });
  document.addEventListener("touchmove", move, { passive: false });
  for (const event of ["touchend", "touchcancel"] as const) document.addEventListener(event, end);
  return () => {
    document.removeEventListener("touchstart", begin);
    document.removeEventListener("touchmove", move);
    for (const event of ["touchend", "touchcancel"] as const) document.removeEventListener(event, end);
  };
}
