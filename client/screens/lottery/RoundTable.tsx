import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import type { BettingSnapshot } from "#client/hooks/use-betting-round.ts";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useText } from "#client/hooks/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { parityOf, sizeOf } from "#shared/lottery/dice-sum.ts";
import { lastDrawOf } from "./last-draw.ts";
import { OutcomeLine } from "./OutcomeLine.tsx";
import { RoundNews } from "./RoundNews.tsx";

const SIZE = { big: "option.A", small: "option.B" } as const;
const PARITY = { odd: "option.C", even: "option.D" } as const;

interface Props {
  game: Lottery;
  snapshot: BettingSnapshot;
}

/** The felt: which round it is, how long bets are taken, the last dice, and what came of one's own bet. */
export function RoundTable({ game, snapshot }: Props) {
  const text = useText();
  const { round, result } = snapshot.context;
  const phase = round?.state === "paused" ? "paused" : snapshot.matches({ round: "open" }) ? "open" : "drawing";
  const seconds = useCountdown(phase === "open" ? (round?.closeMs ?? null) : null);
  const isLoading = round === null;
  return (
    <section
      aria-label={text("round.number", { round: round?.expect ?? "…" })}
      className="flex flex-col gap-4 rounded-lg bg-linear-to-b from-felt to-felt-deep p-4 text-on-felt shadow-card"
    >
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="figures text-base font-semibold break-words">
            {isLoading ? text("round.loading") : text("round.number", { round: round.expect ?? "—" })}
          </p>
          <p className="text-sm text-felt-muted">{!isLoading && text(`round.${phase}`)}</p>
        </div>
        <CountdownRing seconds={seconds} period={game.period} size={72} />
      </div>
      <LastDraw game={game} snapshot={snapshot} isDrawing={phase === "drawing" && !isLoading} />
      {result?.mine && <OutcomeLine key={result.expect} outcome={result.mine} />}
      <RoundNews seconds={seconds} phase={phase} result={result} />
    </section>
  );
}

function LastDraw({ game, snapshot, isDrawing }: Props & { isDrawing: boolean }) {
  const text = useText();
  const last = lastDrawOf(game, snapshot.context.result);
  const isShown = snapshot.matches({ round: "shown" });
  if (isDrawing && !isShown) return <Shown dice={<TumblingDice size={46} />} words={text("game.drawing")} />;
  if (!last) return <p className="text-sm text-felt-muted">{text("game.noDraw")}</p>;
  const { dice, sum, expect } = last;
  const words = text("round.watching", { sum, size: text(SIZE[sizeOf(sum)]), parity: text(PARITY[parityOf(sum)]) });
  return (
    <Shown dice={<Dice key={expect} dice={dice} size={46} isRolling={isShown} />} words={words}>
      <Link
        to={`/Fair?key=${game.key}&expect=${expect}`}
        className="inline-flex min-h-11 items-center gap-1.5 text-sm text-on-felt underline underline-offset-4"
      >
        <ShieldCheck size={16} aria-hidden className="shrink-0" />
        {text("round.check")}
      </Link>
    </Shown>
  );
}

function Shown({ dice, words, children }: { dice: ReactNode; words: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-18 items-center justify-between gap-3">
      <span className="shrink-0">{dice}</span>
      <div className="flex min-w-0 flex-col items-end text-end">
        <p className="text-sm font-semibold text-balance">{words}</p>
        {children}
      </div>
    </div>
  );
}
