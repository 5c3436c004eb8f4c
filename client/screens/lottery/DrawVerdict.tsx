import { BadgeCheck, Hourglass, LoaderCircle, TriangleAlert } from "lucide-react";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import type { FairRound } from "./use-draw-check.ts";
import { useText } from "#client/text/use-text.ts";
import type { Recomputed } from "#client/machines/recompute-draw.ts";
import { diceIn } from "./boards.ts";

const LOOKS = {
  good: { Icon: BadgeCheck, ground: "bg-jade-soft", sign: "text-jade" },
  bad: { Icon: TriangleAlert, ground: "bg-bad-soft", sign: "text-bad" },
  waiting: { Icon: Hourglass, ground: "bg-sunken", sign: "text-muted" },
  checking: { Icon: LoaderCircle, ground: "bg-sunken", sign: "animate-wait text-muted" },
} as const;

interface Props {
  round: FairRound | undefined;
  recomputed: Recomputed | undefined;
}

/** The result of the check in one sentence; screen readers announce it as soon as it is known. */
export function DrawVerdict({ round, recomputed }: Props) {
  const text = useText();
  const verdict = verdictOf(round, recomputed);
  const { Icon, ground, sign } = LOOKS[verdict];
  return (
    <div className={`flex flex-col gap-3 rounded-lg p-4 ${ground}`}>
      <div role="status" className="flex items-start gap-3">
        <Icon size={28} aria-hidden className={`shrink-0 ${sign}`} />
        <div className="min-w-0">
          <p className="text-base font-semibold">{text(`fair.${verdict}`)}</p>
          {verdict === "bad" && <p className="text-sm">{text("fair.badHint")}</p>}
        </div>
      </div>
      {round && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="figures text-sm">{text("game.round", { round: round.expect })}</p>
          {round.opencode ? <Dice dice={round.opencode} /> : <TumblingDice count={diceIn(round.kind)} />}
        </div>
      )}
    </div>
  );
}

function verdictOf(round: FairRound | undefined, recomputed: Recomputed | undefined): keyof typeof LOOKS {
  if (round && (round.seed === null || round.opencode === null)) return "waiting";
  if (!recomputed) return "checking";
  return recomputed.failed.length === 0 ? "good" : "bad";
}
