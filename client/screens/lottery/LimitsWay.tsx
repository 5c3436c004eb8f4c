import { Timer } from "lucide-react";
import { Link } from "react-router";
import { Meter } from "#client/components/Meter.tsx";
import { useLimits, useTightest } from "#client/screens/wallet/use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { DIVIDER } from "#shared/format.ts";

/** How a way on from the table looks. */
export const WAY = "flex min-h-11 items-center gap-1.5 text-sm text-brand-text underline-offset-4 hover:underline";

/** Leads to the member's limits, and says how much of the tightest is used. Its height is the same without one. */
export function LimitsWay() {
  const text = useText();
  const tightest = useTightest(useLimits().data);
  return (
    <>
      <Link to="/Limits" className={WAY}>
        <Timer size={16} aria-hidden className="shrink-0" />
        <span className="flex flex-col">
          {text("mine.limits")}
          {tightest && <span className="figures text-xs text-muted">{tightest.label + DIVIDER + tightest.words}</span>}
        </span>
      </Link>
      {tightest && <Meter {...tightest} className="ms-5.5 -mt-1 mb-0.5 h-0.5" />}
    </>
  );
}
