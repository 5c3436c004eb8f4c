import { Gift } from "lucide-react";
import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { useText } from "#client/text/use-text.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";

/** The wheel among the games, with the spins that the member has left. */
export function WheelCard() {
  const text = useText();
  const { data: seeds } = useEndpoint(wheelSeeds);
  return (
    <Link
      to="/luckDraw"
      className="flex min-h-20 items-center gap-3 rounded-lg border border-line bg-card p-4 shadow-card transition hover:border-edge"
    >
      <span className="grid size-12 shrink-0 place-items-center rounded-sm bg-wheel text-on-wheel">
        <Gift size={26} aria-hidden />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-base/tight font-semibold text-balance break-words">{text("wheel.title")}</span>
        <span className="block min-h-5 text-sm text-muted">
          {seeds && text("wheel.left", { count: seeds.spins_left })}
        </span>
      </span>
    </Link>
  );
}
