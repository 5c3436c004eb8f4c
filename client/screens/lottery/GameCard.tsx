import { useState } from "react";
import { Link } from "react-router";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText, useLanguage } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { DrawLine } from "./DrawLine.tsx";
import { tagOf } from "#shared/locales.ts";

/** One game: its round and countdown, its last draw, and a link to its table. */
export function GameCard({ game }: { game: Lottery }) {
  const { id, key, name, ico, period, next_expect, close_ms } = game;
  const text = useText();
  const every = usePeriod();
  const isOff = useSite().data?.isplay === 0;
  const seconds = useCountdown(game.state === "open" ? close_ms : null);
  // At zero, before the server reports the closing, the round already counts as drawing.
  const state = game.state === "open" && seconds === 0 ? "drawing" : game.state;
  return (
    <article className="relative flex flex-col gap-3 rounded-lg border border-line bg-card p-4 shadow-card transition hover:border-edge">
      <div className="flex items-center gap-3">
        <img src={ico} alt="" width={48} height={48} className="size-12 shrink-0 rounded-sm" />
        <div className="min-w-0 flex-1">
          <Link
            to={`/Lottery?${new URLSearchParams({ key, id })}`}
            className="block text-base/tight font-semibold text-balance break-words after:absolute after:inset-0 after:rounded-lg"
          >
            {name}
          </Link>
          <p className="flex flex-wrap gap-x-2 text-sm text-muted">
            <span>{every(period)}</span>
            <span className={`font-medium ${state === "open" && !isOff ? "text-jade" : ""}`}>
              {isOff ? text("game.off") : text(`game.${state}`)}
            </span>
          </p>
          {next_expect && <p className="figures text-sm text-muted">{text("game.round", { round: next_expect })}</p>}
        </div>
        {state !== "paused" && !isOff && (
          <span className="shrink-0 rounded-md bg-felt p-1.5">
            <CountdownRing seconds={seconds} period={period} size={60} />
          </span>
        )}
      </div>
      <LastDraw game={game} />
    </article>
  );
}

function LastDraw({ game }: { game: Lottery }) {
  const text = useText();
  const { now_expect } = game;
  // Only a draw that arrives while the card is open rolls.
  const [first] = useState(now_expect);
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <p className="figures text-sm text-muted">
        {now_expect ? `${text("game.last")} · ${now_expect}` : text("game.noDraw")}
      </p>
      <DrawLine key={now_expect} draw={game} isRolling={now_expect !== first} />
    </div>
  );
}

const UNITS = [
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

/** Words the draw interval in the largest of hours, minutes and seconds that divides it evenly. */
function usePeriod(): (period: number) => string {
  const text = useText();
  const tag = tagOf(useLanguage());
  return (period) => {
    const { unit, seconds } = UNITS.find((one) => period % one.seconds === 0)!;
    const format = new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short" });
    return text("game.every", { time: format.format(period / seconds) });
  };
}
