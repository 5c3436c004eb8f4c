import { OperatorText } from "#client/components/OperatorText.tsx";
import { Dialog } from "@base-ui/react/dialog";
import { useEffect } from "react";
import { Button } from "#client/components/Button.tsx";
import { fetchCleaner, SafeHtml } from "#client/components/SafeHtml.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { usePrevious } from "#client/hooks/use-previous.ts";
import { useText } from "#client/text/use-text.ts";
import type { Won } from "#client/machines/wheel-spin.ts";

interface Props {
  won: Won | null;
  /** It gives more than its spin cost. Anything else is told without a celebration. */
  isGain: boolean;
  isOpen: boolean;
  onClose: () => void;
}

/** The prize sheet. Only its OK button and Back close it. */
export function PrizeSheet({ won, isGain, isOpen, onClose }: Props) {
  const text = useText();
  // The prize stays visible during the closing animation.
  const shown = usePrevious(won, won === null);
  useEffect(() => {
    if (won) void fetchCleaner().catch(() => undefined);
  }, [won]);
  return (
    <Sheet title={text(isGain ? "wheel.gain" : "wheel.result")} isOpen={isOpen} onBack={onClose} kind="pop">
      {shown && (
        <div className="flex flex-col items-center gap-3 pt-2 text-center">
          <span
            className={`relative grid size-32 place-items-center rounded-full ${isGain ? "bg-brand-soft" : "bg-sunken"}`}
          >
            {isGain && <Sparks />}
            <img src={shown.image} alt="" width={96} height={96} className="size-24" />
          </span>
          <Dialog.Description className="text-lg font-semibold text-balance">
            <OperatorText text={shown.title} lang={shown.langs?.title} />
          </Dialog.Description>
          <SafeHtml html={shown.msgmemo} lang={shown.langs?.msgmemo} className="min-h-6 w-full text-balance" />
          <Button onClick={onClose} className="w-full">
            {text("action.ok")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

const SPARKS = 14;
const COLOURS = ["bg-brand", "bg-jade", "bg-wheel", "bg-amber-bright"];

/** A burst of dots from behind the prize, once; none where motion is reduced. */
function Sparks() {
  return Array.from({ length: SPARKS }, (_, i) => (
    <span
      key={i}
      aria-hidden
      className="absolute inset-0 motion-reduce:hidden"
      style={{ rotate: `${(i * 360) / SPARKS}deg` }}
    >
      <span className="block size-full animate-burst">
        <span className={`mx-auto block size-2 rounded-full ${COLOURS[i % COLOURS.length]}`} />
      </span>
    </span>
  ));
}
