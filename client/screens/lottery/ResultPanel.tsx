import { X } from "lucide-react";
import { useEffect, useState } from "react";
import type { OwnRound } from "#client/machines/own-round.ts";
import { useText } from "#client/text/use-text.ts";
import { focusBoard } from "./BoardNote.tsx";
import { RoundBets } from "./RoundBets.tsx";
import type { BettingSnapshot } from "./use-betting-round.ts";
import type { OwnTable } from "./use-own-rounds.ts";

/**
 * The member's bets on the draw that was seen last, from when its dice lie until the panel is closed or an option is
 * chosen. It stays away from a cart: the felt tells the result there.
 */
export function useSeenResult({ context: { result, cart } }: BettingSnapshot, { rounds }: OwnTable) {
  const [closed, close] = useState<string | null>(null);
  const own = rounds?.find(({ expect, win }) => win !== null && expect === result?.expect);
  const expect = own?.expect ?? null;
  const isPreparing = cart.options.length > 0;
  useEffect(() => {
    if (isPreparing) close(expect);
  }, [isPreparing, expect]);
  const isShown = expect !== null && closed !== expect && !isPreparing;
  return { seen: isShown ? own! : null, close: () => close(expect) };
}

/** What a round brought, where the next cart opens. */
export function ResultPanel({ kind, own, onClose }: { kind: string; own: OwnRound; onClose: () => void }) {
  const text = useText();
  return (
    <div className="relative -mx-4 max-h-[50dvh] overflow-y-auto px-4 pt-3 pb-2 landscape-phone:max-h-none">
      <button
        type="button"
        aria-label={text("action.close")}
        onClick={() => {
          onClose();
          focusBoard({ preventScroll: true });
        }}
        className="float-end -me-2 -mt-2 grid size-11 place-items-center"
      >
        <X size={20} aria-hidden />
      </button>
      <RoundBets kind={kind} own={own} title={text("own.result", { round: own.expect })} />
    </div>
  );
}
