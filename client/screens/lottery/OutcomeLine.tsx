import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { Outcome } from "#shared/contract/events.ts";

/** What came of one's own bets: warm when something was won, quiet when not. */
export function OutcomeLine({ outcome: { win } }: { outcome: Outcome }) {
  const text = useText();
  const money = useMoney();
  const hasWon = win !== "0.00";
  return (
    <p
      className={
        hasWon
          ? "figures min-w-0 rounded-sm bg-jade-soft px-2 py-1 text-sm/tight font-semibold text-jade"
          : "min-w-0 text-sm text-felt-muted"
      }
    >
      {hasWon ? text("round.won", { amount: money(win) }) : text("round.lost")}
    </p>
  );
}
