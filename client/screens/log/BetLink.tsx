import { Link } from "react-router";
import { useText } from "#client/text/use-text.ts";
import type { BetName } from "#client/watch/finding.ts";

/** Where all that is known of one bet stands. */
export const pathOfBet = ({ order, origin }: BetName): string =>
  `/Proof?${new URLSearchParams({ order, log: origin })}`;

/** Leads there. */
export function BetLink(bet: BetName) {
  const text = useText();
  return (
    <Link
      to={pathOfBet(bet)}
      className="figures inline-flex min-h-11 items-center text-brand-text underline underline-offset-4"
    >
      {text("game.round", bet)}
    </Link>
  );
}
