import { Timer } from "lucide-react";
import { clockText } from "#client/components/CountdownRing.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import type { BettingSnapshot } from "./use-betting-round.ts";

/** The last seconds are amber, as on the ring. */
const LATE_S = 10;

/** How long bets are taken, for eyes that rest on the cart; readers hear it of the ring. */
export function TimeLeft({ snapshot }: { snapshot: BettingSnapshot }) {
  const isOpen = snapshot.matches({ round: "open" });
  const seconds = useCountdown(isOpen ? (snapshot.context.round?.closeMs ?? null) : null);
  if (!isOpen) return null;
  return (
    <span
      aria-hidden
      className={`figures flex items-center gap-1 text-sm ${seconds <= LATE_S ? "font-semibold text-amber" : "text-muted"}`}
    >
      <Timer size={16} />
      {clockText(seconds)}
    </span>
  );
}
