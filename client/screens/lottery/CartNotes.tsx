import { Link } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { useText } from "#client/text/use-text.ts";
import type { Note } from "./BoardNote.tsx";
import type { BettingSnapshot } from "./use-betting-round.ts";

/** What the board says, which lies under the open cart. */
export function Blocked({ note: { words, ways = [] } }: { note: Note }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-sm text-amber">
      {words}
      {ways.map(({ to, name }) => (
        <Link key={to} to={to} className="flex min-h-11 items-center font-semibold underline underline-offset-4">
          {name}
        </Link>
      ))}
    </p>
  );
}

/** The balance is below the smallest stake. It says so where the cart would open, so that it covers no option. */
export function Broke({ ways }: { ways: NonNullable<Note["ways"]> }) {
  const text = useText();
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 py-1 text-sm">
      <p className="min-w-0 flex-[1_1_12em] py-1">{text("cart.broke")}</p>
      <span className="flex flex-wrap gap-x-4">
        {ways.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            className="flex min-h-11 items-center font-semibold text-brand-text underline underline-offset-4"
          >
            {name}
          </Link>
        ))}
      </span>
    </div>
  );
}

/** The cart was not placed in time, and which round it is for now, or will be. */
export function CarriedNote({ snapshot }: { snapshot: BettingSnapshot }) {
  const text = useText();
  const { carried, round } = snapshot.context;
  const isOver = snapshot.matches({ round: "drawing" }) || snapshot.matches({ round: "shown" });
  const isNext = round?.expect != null && round.expect !== carried;
  return (
    <p role="status" className="figures text-sm text-amber empty:hidden">
      {carried !== null && isNext && <KeptRounds text={text("cart.carried", { old: carried, round: round.expect! })} />}
      {carried !== null && !isNext && isOver && <KeptRounds text={text("cart.late", { old: carried })} />}
    </p>
  );
}
