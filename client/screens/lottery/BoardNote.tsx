import type { ReactNode } from "react";
import { Link } from "react-router";
import { useConnectionLost } from "#client/components/ConnectionBanner.tsx";
import { useBalance, useIsUnlicensed, useSite } from "#client/hooks/use-site.ts";
import { useLimits } from "#client/screens/wallet/use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { MINOR_PER_UNIT } from "#shared/money.ts";
import type { BettingSnapshot } from "./use-betting-round.ts";

interface Note {
  /** Null where the screen says it already. */
  words: string | null;
  /** Where it can be changed. */
  way?: { to: string; name: string };
  /** No bet is taken, on this round or the next. */
  isBlocking: boolean;
}

/** Why a bet would not be taken now, known before any work is done; null where it would be. */
export function useBoardNote(snapshot: BettingSnapshot): Note | null {
  const text = useText();
  const time = useTime({ dateStyle: "long", timeStyle: "short" });
  const { data: limits } = useLimits();
  const isOff = useSite().data?.isplay === 0;
  const isUnlicensed = useIsUnlicensed();
  const isAway = useConnectionLost();
  const balance = useBalance();
  const { round } = snapshot.context;
  if (limits?.exclude_until != null) {
    const way = { to: "/Limits", name: text("mine.limits") };
    return { words: text("limit.onBreak", { date: time(limits.exclude_until) }), way, isBlocking: true };
  }
  if (isOff) return { words: text("game.off"), isBlocking: true };
  if (isUnlicensed) return { words: null, isBlocking: true };
  if (round?.state === "paused") {
    const again = round.pause?.until ? ` ${text("round.opensAgain", { round: round.pause.until })}` : "";
    return { words: text("round.paused") + again, way: { to: "/Game", name: text("order.toGames") }, isBlocking: true };
  }
  if (isAway) return { words: null, isBlocking: false };
  if (round && !snapshot.matches({ round: "open" })) return { words: text("cart.next"), isBlocking: false };
  if (balance !== null && balance < MINOR_PER_UNIT)
    return { words: text("cart.broke"), way: { to: "/Recharge", name: text("mine.recharge") }, isBlocking: false };
  return null;
}

/** The board, dimmed under a note where no bet would be taken. The note takes no room, so nothing moves. */
export function NotedBoard({ note, children }: { note: Note | null; children: ReactNode }) {
  return (
    <div>
      <div role="status" className="sticky top-[calc(var(--line-banner,0px)+4.5rem)] z-10 h-0">
        {note?.words && (
          <p className="flex -translate-y-2 flex-wrap items-center justify-center gap-x-3 rounded-md bg-ink px-4 py-2 text-center text-sm font-medium text-paper shadow-sheet">
            {note.words}
            {note.way && (
              <Link to={note.way.to} className="flex min-h-11 items-center underline underline-offset-4">
                {note.way.name}
              </Link>
            )}
          </p>
        )}
      </div>
      <fieldset
        disabled={note?.isBlocking}
        className={`min-w-0 transition ${note?.isBlocking ? "opacity-55 saturate-50" : note ? "saturate-50" : ""}`}
      >
        {children}
      </fieldset>
    </div>
  );
}
