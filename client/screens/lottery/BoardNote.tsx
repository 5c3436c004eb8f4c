import type { ReactNode } from "react";
import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { arrowKeys } from "#client/hooks/arrow-keys.ts";
import { useConnectionLost } from "#client/components/ConnectionBanner.tsx";
import { useBalance, useIsUnlicensed, useSite } from "#client/hooks/use-site.ts";
import { useLimits } from "#client/screens/wallet/use-limits.ts";
import { followedBy } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { MINOR_PER_UNIT } from "#shared/money.ts";
import { PauseReason } from "./TableNote.tsx";
import type { BettingSnapshot } from "./use-betting-round.ts";

interface Way {
  to: string;
  name: string;
}

export interface Note {
  /** Null where the screen says it already. */
  words: string | null;
  /** More of it, in the operator's words. */
  reason?: ReactNode;
  /** Where it can be changed. */
  ways?: readonly Way[];
  /** No bet is taken, on this round or the next. */
  isBlocking: boolean;
  /** Most often it is over at once, so it is shown only where it lasts. */
  isBrief?: boolean;
}

/** Why a bet would not be taken now, known before any work is done, or that one is under way; null where it would be. */
export function useBoardNote(snapshot: BettingSnapshot, game: Lottery): Note | null {
  const text = useText();
  const time = useTime({ dateStyle: "long", timeStyle: "short" });
  const { data: limits } = useLimits();
  const isOff = useSite().data?.isplay === 0;
  const isUnlicensed = useIsUnlicensed();
  const isAway = useConnectionLost();
  const { round } = snapshot.context;
  if (limits?.exclude_until != null) {
    const ways = [{ to: "/Limits", name: text("mine.limits") }];
    return { words: text("limit.onBreak", { date: time(limits.exclude_until) }), ways, isBlocking: true };
  }
  if (isOff) return { words: text("game.off"), isBlocking: true };
  if (isUnlicensed) return { words: null, isBlocking: true };
  if (round?.state === "paused") {
    const { pause } = round;
    const again = pause?.until ? text("round.opensAgain", { round: pause.until }) : null;
    const ways = [{ to: "/Game", name: text("order.toGames") }];
    const reason = pause && <PauseReason game={game} pause={pause} />;
    return { words: followedBy(text("round.paused"), again), reason, ways, isBlocking: true };
  }
  if (isAway) return { words: null, isBlocking: false };
  if (round && !snapshot.matches({ round: "open" })) return { words: text("cart.next"), isBlocking: false };
  // Until the answer to a bet is there, the cart takes no other option.
  return snapshot.matches({ bet: "idle" }) ? null : { words: null, isBlocking: false, isBrief: true };
}

/** Where points come from: a top-up, and the wheel where a spin is left. Null while the balance covers the smallest stake. */
export function useWaysOn(): readonly Way[] | null {
  const text = useText();
  const balance = useBalance();
  const isBroke = balance !== null && balance < MINOR_PER_UNIT;
  const hasWheel = useSite().data?.isluckdraw === 1;
  const spins = useEndpoint(wheelSeeds, {}, { enabled: isBroke && hasWheel }).data?.spins_left ?? 0;
  const topUp = { to: "/Recharge", name: text("mine.recharge") };
  if (!isBroke) return null;
  return hasWheel && spins > 0 ? [topUp, { to: "/luckDraw", name: text("wheel.title") }] : [topUp];
}

/** Focuses the option on the board that the Tab key would. */
export const focusBoard = (how?: FocusOptions): void =>
  document.querySelector<HTMLElement>('[data-option][tabindex="0"]')?.focus(how);

/**
 * The board, dimmed under a note where no bet would be taken. The note takes no room, so that nothing moves, and lets
 * taps through to the tiles below it.
 */
export function NotedBoard({ note, children }: { note: Note | null; children: ReactNode }) {
  const text = useText();
  return (
    <div>
      <div role="status" className="sticky top-[calc(var(--bar-end,3.25rem)+2.75rem)] z-10 h-0">
        {note?.words && (
          <p className="pointer-events-none flex -translate-y-2 flex-wrap items-center justify-center gap-x-3 rounded-md bg-ink px-4 py-2 text-center text-sm font-medium text-paper shadow-sheet">
            {note.words}
            {note.reason}
            {note.ways?.map(({ to, name }) => (
              <Link
                key={to}
                to={to}
                className="pointer-events-auto flex min-h-11 items-center underline underline-offset-4"
              >
                {name}
              </Link>
            ))}
          </p>
        )}
      </div>
      {/* It only disables: the toolbar is the group. */}
      <fieldset
        role="presentation"
        disabled={note?.isBlocking}
        className={`min-w-0 transition ${note?.isBrief ? "delay-300" : ""} ${note?.isBlocking ? "opacity-55 saturate-50" : note ? "saturate-50" : ""}`}
      >
        <div ref={arrowKeys} role="toolbar" aria-label={text("order.details")} aria-busy={note?.isBrief}>
          {children}
        </div>
      </fieldset>
    </div>
  );
}
