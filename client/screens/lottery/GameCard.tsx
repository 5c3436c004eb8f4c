import { OperatorText } from "#client/components/OperatorText.tsx";
import { useId, useState } from "react";
import { Link } from "react-router";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useList } from "#client/text/use-list.ts";
import { useText, useLanguage } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { sumOf } from "#shared/lottery/dice.ts";
import { diceIn, roadsOf, wordsOf } from "./boards.ts";
import type { DrawMark } from "./draw-words.ts";
import { OwnStake } from "./OwnStake.tsx";
import { formatSpan } from "#shared/format.ts";

/** One game wherever it is offered: its kind and period, the time to the close, one's own stake, its last draws, and a link to its table. */
export function GameCard({ game }: { game: Lottery }) {
  const { id, key, name, ico, close_ms } = game;
  const text = useText();
  const title = useId();
  const isOff = useSite().data?.isplay === 0;
  const seconds = useCountdown(game.state === "open" ? close_ms : null);
  // At zero, before the server reports the closing, the round already counts as drawing.
  const state = game.state === "open" && seconds === 0 ? "drawing" : game.state;
  return (
    <article
      aria-labelledby={title}
      className="relative flex flex-col gap-3 rounded-lg border border-line bg-card p-4 shadow-card transition hover:border-edge"
    >
      <div className="flex items-center gap-3">
        <img src={ico} alt="" width={48} height={48} className="size-12 shrink-0 rounded-sm" />
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          <Link
            id={title}
            to={`/Lottery?${new URLSearchParams({ key, id })}`}
            className="block text-base/tight font-semibold text-balance break-words after:absolute after:inset-0 after:rounded-lg"
          >
            <OperatorText text={name} lang={game.langs?.name} />
          </Link>
          <Terms game={game} />
          <p className={`text-sm font-medium ${state === "open" && !isOff ? "text-jade" : "text-muted"}`}>
            {isOff ? text("game.off") : text(`game.${state}`)}
          </p>
          <OwnStake game={game} />
        </div>
        {state !== "paused" && !isOff && <Left game={game} seconds={state === "open" ? seconds : 0} />}
      </div>
      <LastDraws game={game} />
    </article>
  );
}

/** The kind, unless the name says it, and the period. */
function Terms({ game: { name, class_name, period } }: { game: Lottery }) {
  const every = usePeriod();
  return (
    <p className="flex flex-wrap gap-x-2 text-sm text-muted">
      {!name.includes(class_name) && <span>{class_name}</span>}
      <span>{every(period)}</span>
    </p>
  );
}

/** The time to the close as a ring; dice that are not drawn yet once it is over. */
function Left({ game: { kind, period }, seconds }: { game: Lottery; seconds: number }) {
  return (
    <span className="grid min-h-18 min-w-18 shrink-0 place-items-center rounded-md bg-felt p-1.5">
      {seconds > 0 ? (
        <CountdownRing seconds={seconds} period={period} size={60} />
      ) : (
        <TumblingDice count={diceIn(kind)} size={14} />
      )}
    </span>
  );
}

const TONES: Record<DrawMark["tone"], string> = {
  warm: "bg-brand-soft text-brand-text",
  cool: "bg-jade-soft text-jade",
  plain: "bg-sunken text-ink",
};

/** The last dice, then the sums or faces of the last draws, newest first; as many as fit in a line. */
function LastDraws({ game: { kind, recent } }: { game: Lottery }) {
  const text = useText();
  const list = useList();
  const [newest] = recent;
  // Only a draw that arrives while the card is open rolls.
  const [first] = useState(newest?.expect);
  const draws = recent.map(({ opencode }) => opencode);
  const [road] = roadsOf(kind, draws);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3 text-sm text-muted">
      {newest ? text("round.history") : text("game.noDraw")}
      {newest && (
        <span key={newest.expect} aria-hidden className="flex">
          <Dice dice={newest.opencode} size={22} isRolling={newest.expect !== first} />
        </span>
      )}
      {newest && (
        <ol
          aria-label={text("round.history")}
          className="flex h-[1.75rem] min-w-30 flex-1 flex-wrap gap-1 overflow-hidden"
        >
          {recent.map(({ expect, opencode }, place) => (
            <li key={expect}>
              <span
                role="img"
                aria-label={text("dice.label", { dice: list(opencode), sum: sumOf(opencode) })}
                className={`figures grid h-[1.75rem] min-w-[1.75rem] place-items-center rounded-full px-1 text-xs font-semibold ${TONES[road?.[place]?.tone ?? "plain"]}`}
              >
                {wordsOf(kind, opencode).sum ?? opencode.join("")}
              </span>
            </li>
          ))}
        </ol>
      )}
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
  const language = useLanguage();
  return (period) => {
    const { unit, seconds } = UNITS.find((one) => period % one.seconds === 0)!;
    return text("game.every", { time: formatSpan(period / seconds, unit, language, "short") });
  };
}
