import { Link } from "react-router";
import { useText } from "#client/text/use-text.ts";

/** Leads to what is known of one bet. */
export function BetLink({ order, round }: { order: string; round: string }) {
  const text = useText();
  return (
    <Link
      to={`/Proof?order=${order}`}
      className="figures inline-flex min-h-11 items-center text-brand-text underline underline-offset-4"
    >
      {text("game.round", { round })}
    </Link>
  );
}
