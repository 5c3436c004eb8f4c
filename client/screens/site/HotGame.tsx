import { Link } from "react-router";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useText } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

/** One table: its round, the last dice, and the time left to bet. */
export function HotGame({ game }: { game: Lottery }) {
  const text = useText();
  const { key, id, name, opencode, next_expect } = game;
  return (
    <Link
      to={`/Lottery?key=${encodeURIComponent(key)}&id=${encodeURIComponent(id)}`}
      className="flex min-h-25 items-center gap-3 rounded-lg bg-felt p-4 text-on-felt shadow-card"
    >
      <span className="flex min-w-0 flex-1 flex-col gap-1.5">
        <span className="text-base font-semibold">{name}</span>
        {next_expect && (
          <span className="figures text-xs text-felt-muted">{text("round.number", { round: next_expect })}</span>
        )}
        <span className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-felt-muted">
          {opencode ? text("game.last") : text("game.noDraw")}
          {opencode && <Dice dice={opencode} size={24} />}
        </span>
      </span>
      <Left game={game} />
    </Link>
  );
}

/** The time left as a ring; the round's state when betting is closed. */
function Left({ game: { state, opencode, close_ms, period } }: { game: Lottery }) {
  const text = useText();
  const seconds = useCountdown(close_ms);
  if (state === "open" && seconds > 0) return <CountdownRing seconds={seconds} period={period} />;
  if (state === "paused") return <span className="text-sm text-felt-muted">{text("game.paused")}</span>;
  return (
    <span className="flex flex-col items-center gap-1.5 text-xs text-felt-muted">
      <TumblingDice count={opencode?.length ?? 1} size={20} />
      {text("game.drawing")}
    </span>
  );
}
