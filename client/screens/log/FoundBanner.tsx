import { Info, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { bus, onFound } from "#client/api/bus.ts";
import { useText } from "#client/text/use-text.ts";
import type { FindingKind } from "#shared/log/evidence/finding.ts";
import type { BetName } from "#client/watch/finding.ts";
import { pathOfBet } from "./BetLink.tsx";
import { FOUND_WORDS, isAnnounced } from "./found-words.ts";

interface Found {
  kind: FindingKind | "unchecked";
  bet?: BetName;
}

/** Says at once what does not fit together, and what the house announced of its log, on every screen until the member looks at it. */
export default function FoundBanner() {
  const text = useText();
  const [found, show] = useState<Found | null>(null);
  const { pathname } = useLocation();
  useEffect(() => onFound(({ kind, bet }) => show({ kind, ...(bet && { bet }) })), []);
  useEffect(() => {
    // The next visitor is told anew what concerns them.
    const hide = () => show(null);
    bus.on("left", hide);
    return () => bus.off("left", hide);
  }, []);
  const isRead = pathname === "/Proof";
  if (found && isRead) show(null);
  if (!found || isRead) return null;
  const { kind, bet } = found;
  const isCalm = kind === "unchecked" || isAnnounced({ kind });
  const Icon = isCalm ? Info : TriangleAlert;
  return (
    <div
      role={isCalm ? "status" : "alert"}
      className="in-frame pointer-events-none fixed inset-x-0 bottom-20 z-30 px-4"
    >
      <div
        className={`pointer-events-auto flex flex-col gap-1 rounded-lg border p-4 text-sm shadow-sheet ${isCalm ? "border-edge bg-card" : "border-bad bg-bad-soft"}`}
      >
        <p className="flex items-start gap-2 font-semibold">
          <Icon size={20} aria-hidden className={`shrink-0 ${isCalm ? "text-muted" : "text-bad"}`} />
          {text(kind === "unchecked" ? "watch.unchecked.title" : `watch.found.${FOUND_WORDS[kind]}`)}
        </p>
        <Link
          to={bet ? pathOfBet(bet) : "/Proof"}
          onClick={() => show(null)}
          className="inline-flex min-h-11 items-center self-start text-brand-text underline underline-offset-4"
        >
          {text("watch.see")}
        </Link>
      </div>
    </div>
  );
}
