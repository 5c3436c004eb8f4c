import { BadgeCheck, CircleSlash, Hourglass, Info, LoaderCircle, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import type { FairRound } from "./use-draw-check.ts";
import { useSpan } from "#client/text/use-span.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { Recomputed } from "#client/machines/recompute-draw.ts";
import type { AnchorAge } from "#client/watch/messages.ts";
import { lateBy } from "#shared/lottery/fairness.ts";
import { toSeconds } from "#shared/time.ts";
import { diceIn } from "./boards.ts";

const LOOKS = {
  good: { Icon: BadgeCheck, ground: "bg-jade-soft", sign: "text-jade" },
  late: { Icon: Info, ground: "bg-sunken", sign: "text-muted" },
  bad: { Icon: TriangleAlert, ground: "bg-bad-soft", sign: "text-bad" },
  missed: { Icon: CircleSlash, ground: "bg-sunken", sign: "text-muted" },
  waiting: { Icon: Hourglass, ground: "bg-sunken", sign: "text-muted" },
  checking: { Icon: LoaderCircle, ground: "bg-sunken", sign: "animate-wait text-muted" },
} as const;

interface Props {
  round: FairRound | undefined;
  recomputed: Recomputed | undefined;
  /** Whether the pause that a gap names was announced in time. Undefined where none is named. */
  isPauseTold: boolean | undefined;
  /** How long the log had the anchor before its day. Undefined until that is known. */
  age: AnchorAge | undefined;
  /** Whether the log proves what the round opened with. Undefined until that is known, and for a round in a gap. */
  isOpeningProven: boolean | undefined;
}

/** The result of the check in one sentence; screen readers announce it as soon as it is known. */
export function DrawVerdict({ round, recomputed, isPauseTold, age, isOpeningProven }: Props) {
  const text = useText();
  const verdict = verdictOf(round, recomputed);
  const isReturned = round !== undefined && round.refunded !== null;
  const late = recomputed && (age === "young" || age === "unproved") ? age : null;
  // Numbers that match prove nothing about when they were chosen.
  const isLate = verdict === "good" && (age !== "week" || isOpeningProven !== true);
  const { Icon, ground, sign } = LOOKS[isLate ? "late" : verdict];
  const title = isLate ? "fair.numbers" : (`fair.${verdict}` as const);
  return (
    <div className={`flex flex-col gap-3 rounded-lg p-4 ${ground}`}>
      <div role="status" className="flex items-start gap-3">
        <Icon size={28} aria-hidden className={`shrink-0 ${sign}`} />
        <div className="min-w-0">
          <p className="text-base font-semibold">{text(isReturned ? "fair.returned" : title)}</p>
          {verdict === "bad" && <p className="text-sm">{text("fair.badHint")}</p>}
          {late && <p className="text-sm">{text(`fair.${late}`)}</p>}
          {isLate && isOpeningProven === false && <p className="text-sm">{text("fair.unopened")}</p>}
          {round?.gap && <Missed gap={round.gap} isPauseTold={isPauseTold} />}
        </div>
      </div>
      {round && !round.gap && (
        <>
          <DiceLine round={round.expect}>
            {round.opencode && <Dice dice={round.opencode} />}
            {!round.opencode && !isReturned && <TumblingDice count={diceIn(round.kind)} />}
          </DiceLine>
          <Times round={round} />
        </>
      )}
      {round?.gap?.opencode && (
        <>
          <p className="text-sm">{text("fair.wouldBeText")}</p>
          <DiceLine round={round.expect}>
            <Dice dice={round.gap.opencode} />
          </DiceLine>
        </>
      )}
    </div>
  );
}

function DiceLine({ round, children }: { round: string; children: ReactNode }) {
  const text = useText();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="figures text-sm">{text("game.round", { round })}</p>
      {children}
    </div>
  );
}

/** Why the round never opened, and whether a pause was announced as it should have been. */
function Missed({ gap, isPauseTold }: { gap: NonNullable<FairRound["gap"]> } & Pick<Props, "isPauseTold">) {
  const text = useText();
  return (
    <>
      <p className="text-sm">{text(`fair.gap.${gap.reason}`)}</p>
      {isPauseTold === true && <p className="text-sm">{text("fair.pauseTold")}</p>}
      {isPauseTold === false && <p className="text-sm font-semibold text-bad">{text("fair.pauseUntold")}</p>}
      {gap.opencode === null && <p className="text-sm">{text("fair.wouldBeLater")}</p>}
    </>
  );
}

/** When the draw was due and when it came. A late one is said. */
function Times({ round: { due, drawn } }: { round: FairRound }) {
  const text = useText();
  const time = useTime({ dateStyle: "medium", timeStyle: "medium" });
  const span = useSpan();
  const late = drawn === null ? 0 : lateBy({ due, drawn });
  return (
    <div className="figures text-sm">
      <p>{text("fair.due", { time: time(toSeconds(due)) })}</p>
      {drawn !== null && <p>{text("fair.drawnAt", { time: time(toSeconds(drawn)) })}</p>}
      {late > 0 && <p className="font-semibold">{text("fair.late", { time: span(late) })}</p>}
    </div>
  );
}

function verdictOf(round: FairRound | undefined, recomputed: Recomputed | undefined) {
  if (recomputed && recomputed.failed.length > 0) return "bad";
  if (round?.gap) return "missed";
  if (round && (round.seed === null || round.opencode === null)) return "waiting";
  return recomputed ? "good" : "checking";
}
