import { ChevronUp, X } from "lucide-react";
import { useEffect, useEffectEvent, type DOMAttributes } from "react";
import { useLayer } from "#client/app/layers.ts";
import { Grabber } from "#client/components/Grabber.tsx";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { Amount } from "#client/components/Amount.tsx";
import { netOf, type OwnRound } from "#client/machines/own-round.ts";
import { useText } from "#client/text/use-text.ts";
import { toDecimal } from "#shared/money.ts";
import { focusBoard } from "./BoardNote.tsx";
import { RoundBets } from "./RoundBets.tsx";

interface Props {
  kind: string;
  own: OwnRound;
  /** Drags the panel. */
  drag: DOMAttributes<HTMLElement>;
  onClose: () => void;
}

/** What a round brought, where the next cart opens. Back, Escape and a drag down close it as its button does. */
export function ResultPanel({ kind, own, drag, onClose }: Props) {
  const text = useText();
  useLayer(true, onClose);
  useEscape(onClose);
  return (
    <div data-result className="relative -mx-4 max-h-[50dvh] overflow-y-auto px-4 pb-2 landscape-phone:max-h-none">
      <div {...drag} className="sticky top-0 -mx-4 cursor-grab touch-none bg-card px-4 pt-3 pb-1">
        <Grabber />
      </div>
      <button
        type="button"
        aria-label={text("action.close")}
        onClick={() => {
          onClose();
          focusBoard({ preventScroll: true });
        }}
        className="relative float-end -me-2 -mt-2 grid size-11 place-items-center"
      >
        <X size={20} aria-hidden />
      </button>
      <RoundBets kind={kind} own={own} title={text("own.result", { round: own.expect })} />
    </div>
  );
}

/** Escape closes what is open, unless a dialog lies over it. */
function useEscape(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const hear = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented && !document.getElementById("root")?.inert) closeNow();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
}

/** The result in one row, which opens it. */
export function OfferedResult({ own, onOpen }: { own: OwnRound; onOpen: () => void }) {
  const text = useText();
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={onOpen}
      className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 py-1 text-start"
    >
      <span className="figures text-sm font-semibold">
        <KeptRounds text={text("own.result", { round: own.expect })} />
      </span>
      <span className="ms-auto flex items-center gap-1 text-sm text-muted">
        {text("own.net")} <Amount value={toDecimal(netOf(own)!)} isSigned className="font-semibold text-ink" />
        <ChevronUp size={20} aria-hidden />
      </span>
    </button>
  );
}
