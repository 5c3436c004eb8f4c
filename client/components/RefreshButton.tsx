import { RefreshCw } from "lucide-react";
import { useText } from "#client/text/use-text.ts";

/** Refreshes by a tap, as an alternative to the pull gesture. */
export function RefreshButton({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  const text = useText();
  return (
    <button
      type="button"
      aria-label={text("action.refresh")}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? undefined : onRefresh}
      className="grid size-11 place-items-center"
    >
      <RefreshCw size={20} aria-hidden className={isBusy ? "animate-wait" : ""} />
    </button>
  );
}
