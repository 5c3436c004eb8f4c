import { CloudOff, WifiOff } from "lucide-react";
import { useKnownAt } from "#client/app/last-known.ts";
import { useEffect, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { SECOND_MS } from "#shared/time.ts";

/** A shorter disconnection is not shown. */
const PATIENCE_MS = 800;

/**
 * Shows that the live connection is lost or that the server is unavailable, and hides when both are back. It dates
 * what is on the screen from before. It hangs from the screen's bar, over the content, so that nothing moves; fingers
 * reach through it.
 */
export function ConnectionBanner() {
  const text = useText();
  const isLineAway = useConnectionLost();
  const isServerAway = useServerAway();
  const asOf = useAsOf();
  const isAway = isLineAway || isServerAway || asOf !== null;
  const Sign = isLineAway || asOf !== null ? WifiOff : CloudOff;
  return (
    <div role="status" className="in-frame pointer-events-none fixed inset-x-0 top-(--bar-end,0px) z-30">
      {isAway && (
        <p className="flex items-center justify-center gap-2 bg-ink px-4 py-1.5 text-xs text-paper">
          <Sign size={14} aria-hidden className="shrink-0" />
          {asOf ?? text(isLineAway ? "state.lineAway" : "state.serverAway")}
        </p>
      )}
    </div>
  );
}

/** Says how old the screen is; the day only if it is not today. */
function useAsOf(): string | null {
  const text = useText();
  const at = useKnownAt();
  const isToday = new Date(at ?? 0).toDateString() === new Date().toDateString();
  const time = useTime({ timeStyle: "short", ...(isToday ? {} : { dateStyle: "medium" }) });
  return at === null ? null : text("state.asOf", { time: time(at / SECOND_MS) });
}

/** Whether the live connection has been away for a while. */
export function useConnectionLost(): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onChange = ({ up }: { up: boolean }) => {
      clearTimeout(timer);
      if (up) setAway(false);
      else timer = setTimeout(() => setAway(true), PATIENCE_MS);
    };
    bus.on("connection", onChange);
    return () => {
      clearTimeout(timer);
      bus.off("connection", onChange);
    };
  }, []);
  return isAway;
}

/** The server's status holds only for the current connection; each new connection resets it. */
function useServerAway(): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const onChange = ({ away }: { away: boolean }) => setAway(away);
    const greet = () => setAway(false);
    bus.on("serverAway", onChange);
    bus.on("hello", greet);
    return () => {
      bus.off("serverAway", onChange);
      bus.off("hello", greet);
    };
  }, []);
  return isAway;
}
