import { ChevronRight } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { jitter } from "#client/api/jitter.ts";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { OperatorText } from "#client/components/OperatorText.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import type { RoundView } from "#client/machines/round-view.ts";
import { useText } from "#client/text/use-text.ts";
import { lotteryInfo, type Lottery } from "#shared/contract/lottery.ts";

interface Props {
  game: Lottery;
  round: RoundView | null;
}

/**
 * What the rounds wait for: a late beacon, or a pause that is announced or under way. Its first words have a place of
 * their own on the felt, so nothing moves; all of it is a tap away. Screen readers hear all of it at once.
 */
export function TableNote({ game, round }: Props) {
  const text = useText();
  const [isOpen, open] = useState(false);
  const { awaitsBeacon = null, pause = null } = round ?? {};
  useFreshReason(game, pause);
  const lines = [
    awaitsBeacon && text("round.awaitsBeacon", { round: awaitsBeacon }),
    pause && text("round.pausedFrom", { round: pause.from }),
    pause?.until && text("round.opensAgain", { round: pause.until }),
  ].filter((line) => line != null);
  const title = awaitsBeacon ? text("round.waits", { round: awaitsBeacon }) : lines[0];
  const body = (
    <>
      {lines.map((line) => (
        <p key={line} className="figures">
          <KeptRounds text={line} />
        </p>
      ))}
      {pause && <PauseReason game={game} pause={pause} />}
    </>
  );
  return (
    <div className="min-h-[2lh] text-xs/tight">
      {title && <Words title={title} onOpen={() => open(true)} />}
      <div role="status" className="sr-only">
        {body}
      </div>
      <Sheet title={title ?? ""} isOpen={isOpen && title !== undefined} onClose={() => open(false)}>
        <div className="flex flex-col gap-3 pb-2 text-sm">{body}</div>
      </Sheet>
    </div>
  );
}

function Words({ title, onOpen }: { title: string; onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="figures relative flex items-center gap-1 text-start underline decoration-felt-muted underline-offset-2 after:absolute after:inset-x-0 after:-top-3.5 after:-bottom-2 focus-visible:outline-on-felt"
    >
      <span className="min-w-0">
        <KeptRounds text={title} />
      </span>
      <ChevronRight size={14} aria-hidden className="shrink-0" />
    </button>
  );
}

type Pause = Lottery["pause"];

/** Whether the game's reason is of this pause. */
const isOf = (game: Lottery, { from, until }: NonNullable<Pause>): boolean =>
  game.pause?.from === from && game.pause.until === until;

/** Why the game pauses, in the operator's words; nothing without them. */
export function PauseReason({ game, pause }: { game: Lottery; pause: NonNullable<Pause> }) {
  const { pause_reason: reason, langs } = game;
  if (!reason || !isOf(game, pause)) return null;
  return (
    <p>
      <OperatorText text={reason} lang={langs?.pause_reason} />
    </p>
  );
}

/** Asks for the reason within this time, so that a full room does not ask at once. */
const SPREAD_MS = 1_500;

/** Asks for the reason of a pause that was pushed without it, or was taken back. */
function useFreshReason(game: Lottery, pause: Pause): void {
  const queryClient = useQueryClient();
  const isKnown = pause === null ? game.pause === null : isOf(game, pause);
  useEffect(() => {
    if (isKnown) return undefined;
    const ask = () => void queryClient.invalidateQueries({ queryKey: [lotteryInfo.path] });
    const timer = setTimeout(ask, jitter(SPREAD_MS));
    return () => clearTimeout(timer);
  }, [isKnown, queryClient]);
}
