import { ArrowDown, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { usePull, type Pull } from "./use-pull.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  /** Fetches anew; what it returns is waited for. */
  onRefresh: () => Promise<unknown>;
  children: ReactNode;
}

/** A page that is pulled down to be fetched anew. Whoever does not pull has the button at the top of the list. */
export function PullToRefresh({ onRefresh, children }: Props) {
  const { phase, pulled } = usePull(onRefresh);
  return (
    <div className="relative">
      <div style={{ height: pulled }} className="-mt-4 overflow-hidden transition-[height] duration-150">
        <p role="status" className="flex h-16 items-center justify-center gap-2 text-sm text-muted">
          {phase !== "idle" && <Says phase={phase} />}
        </p>
      </div>
      <div className="pt-4">{children}</div>
    </div>
  );
}

function Says({ phase }: { phase: Exclude<Pull, "idle"> }) {
  const text = useText();
  return (
    <>
      {phase === "loading" ? (
        <LoaderCircle size={18} aria-hidden className="animate-wait" />
      ) : (
        <ArrowDown
          size={18}
          aria-hidden
          className={`transition-transform duration-200 ${phase === "ready" ? "rotate-180" : ""}`}
        />
      )}
      {text(`pull.${phase}`)}
    </>
  );
}
