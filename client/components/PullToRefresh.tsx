import { ArrowDown, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useText } from "#client/text/use-text.ts";

interface Props {
  /** Fetches anew; what it returns is waited for. */
  onRefresh: () => Promise<unknown>;
  children: ReactNode;
}

/** A page that is pulled down to be fetched anew. Whoever does not pull has the button at the top of the list. */
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

/** How far a finger has to pull until letting go refreshes, and how far the page follows it at most, in pixels. */
const FAR_ENOUGH = 64;
const FARTHEST = 96;
/** The page follows a finger with a part of its way, as if held by a spring. */
const SPRING = 0.5;
/** The specification's pause between letting go and asking. */
const DELAY_MS = 500;

type Pull = "idle" | "pulling" | "ready" | "loading";

/**
 * Pulling a page down from its top and letting go refreshes it. `refresh` is called half a second later; what it
 * returns is waited for. Returns the phase and how far the page is pulled, in pixels.
 */
function usePull(refresh: () => Promise<unknown>) {
  const [{ phase, pulled }, show] = useState({ phase: "idle" as Pull, pulled: 0 });
  const latest = useRef({ refresh, phase });
  useEffect(() => {
    latest.current = { refresh, phase };
  });
  useEffect(() => {
    const load = async () => {
      show({ phase: "loading", pulled: FAR_ENOUGH });
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      await latest.current.refresh().catch(() => undefined);
      show({ phase: "idle", pulled: 0 });
    };
    return followFinger({
      isFree: () => window.scrollY <= 0 && latest.current.phase !== "loading",
      onPull: (pulled) => show({ phase: phaseAt(pulled), pulled }),
      onRelease: () => (latest.current.phase === "ready" ? void load() : show({ phase: "idle", pulled: 0 })),
    });
  }, []);
  return { phase, pulled };
}

const phaseAt = (pulled: number): Pull => (pulled <= 0 ? "idle" : pulled >= FAR_ENOUGH ? "ready" : "pulling");

interface Following {
  isFree: () => boolean;
  onPull: (pulled: number) => void;
  onRelease: () => void;
}

/** Tells how far one finger has pulled the page down. Returns how to stop. */
function followFinger({ isFree, onPull, onRelease }: Following): () => void {
  let from: { x: number; y: number } | null = null;
  let isPulling = false;
  const begin = ({ touches, target }: TouchEvent) => {
    // What lies over the page is not pulled with it.
    const isPage = target instanceof Element && target.closest("main") !== null;
    const { clientX: x, clientY: y } = touches[0]!;
    from = isPage && touches.length === 1 && isFree() ? { x, y } : null;
    isPulling = false;
  };
  const move = (event: TouchEvent) => {
    if (from === null) return;
    const { clientX, clientY } = event.touches[0]!;
    const way = clientY - from.y;
    // Whoever begins sideways turns pages.
    if (!isPulling && Math.abs(clientX - from.x) > Math.abs(way)) from = null;
    if (from === null) return;
    isPulling = true;
    const isDown = way > 0 && window.scrollY <= 0;
    // While it is pulled the page itself must not move.
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
