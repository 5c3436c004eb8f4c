import { Dialog } from "@base-ui/react/dialog";
import { useEffect } from "react";
import { Button } from "#client/components/Button.tsx";
import { fetchCleaner, SafeHtml } from "#client/components/SafeHtml.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { usePrevious } from "#client/hooks/use-previous.ts";
import { useText } from "#client/text/use-text.ts";
import type { Won } from "#client/machines/wheel-spin.ts";

/** The prize sheet. Only its OK button closes it. */
export function PrizeSheet({ won, isOpen, onClose }: { won: Won | null; isOpen: boolean; onClose: () => void }) {
  const text = useText();
  // The prize stays visible during the closing animation.
  const shown = usePrevious(won, won === null);
  useEffect(() => {
    if (won) void fetchCleaner().catch(() => undefined);
  }, [won]);
  return (
    <Sheet title={text("wheel.result")} isOpen={isOpen} kind="pop">
      {shown && (
        <div className="flex flex-col items-center gap-3 pt-2 text-center">
          <span className="grid size-32 place-items-center rounded-full bg-brand-soft">
            <img src={shown.image} alt="" width={96} height={96} className="size-24" />
          </span>
          <Dialog.Description className="text-lg font-semibold text-balance">{shown.title}</Dialog.Description>
          <SafeHtml html={shown.msgmemo} className="min-h-6 w-full text-balance" />
          <Button onClick={onClose} className="w-full">
            {text("action.ok")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
