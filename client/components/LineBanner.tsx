import { WifiOff } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { useText } from "#client/hooks/use-text.ts";

/** A line that is back at once needs no word. */
const PATIENCE_MS = 800;

/** Says that the live line is away, and goes by itself when it is back. What sticks to the top sticks below it. */
export function LineBanner() {
  const text = useText();
  const isAway = useLineAway();
  const banner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--line-banner", `${banner.current?.offsetHeight ?? 0}px`);
  }, [isAway]);
  return (
    <div ref={banner} role="status" className="sticky top-0 z-30">
      {isAway && (
        <p className="flex items-center justify-center gap-2 bg-ink px-4 py-1.5 text-xs text-paper">
          <WifiOff size={14} aria-hidden className="shrink-0" />
          {text("state.lineAway")}
        </p>
      )}
    </div>
  );
}

export function useLineAway(): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = ({ up }: { up: boolean }) => {
      clearTimeout(timer);
      if (up) setAway(false);
      else timer = setTimeout(() => setAway(true), PATIENCE_MS);
    };
    bus.on("line", hear);
    return () => {
      clearTimeout(timer);
      bus.off("line", hear);
    };
  }, []);
  return isAway;
}
