import { Dice } from "#client/components/Dice.tsx";
import type { FairRound } from "./use-draw-check.ts";
import { useText } from "#client/text/use-text.ts";
import { messageOf, type Recomputed } from "#client/machines/recompute-draw.ts";
import { makesDie } from "#shared/lottery/dice.ts";
import type { DrawCheck, DrawnRound } from "#shared/lottery/fairness.ts";
import { CheckStep, Hex, StepFact, type Outcome } from "./CheckStep.tsx";

interface Props {
  round: FairRound;
  /** Null until the round is drawn. */
  drawn: DrawnRound | null;
  recomputed: Recomputed | undefined;
}

/** The check in four steps: the published data, and the values computed from it on this device. */
export function DrawSteps({ round, drawn, recomputed }: Props) {
  const text = useText();
  const outcome = (check: DrawCheck): Outcome => {
    if (!recomputed) return "checking";
    return recomputed.failed.includes(check) ? "differs" : "matches";
  };
  return (
    <ol className="flex flex-col gap-3">
      <CheckStep step={1} outcome={drawn && outcome("commit")} about={text("fair.step1Text")}>
        <Hex name={text("fair.commit")} value={round.commit} />
      </CheckStep>
      {drawn && (
        <>
          <CheckStep step={2} outcome={outcome("commit")} about={text("fair.step2Text")}>
            <Hex name={text("fair.seed")} value={drawn.seed} />
            <Hex name={`SHA-256 · ${text("fair.computed")}`} value={recomputed?.commit} />
          </CheckStep>
          <CheckStep step={3} outcome={outcome("anchor")} about={text("fair.step3Text", { count: drawn.index })}>
            <Hex name={text("fair.anchor")} value={drawn.anchor} />
            <Hex name={text("fair.computed")} value={recomputed?.anchor} />
          </CheckStep>
          <DiceStep drawn={drawn} recomputed={recomputed} outcome={outcome("dice")} />
        </>
      )}
    </ol>
  );
}

function DiceStep({
  drawn,
  recomputed,
  outcome,
}: { drawn: DrawnRound } & Pick<Props, "recomputed"> & { outcome: Outcome }) {
  const text = useText();
  return (
    <CheckStep step={4} outcome={outcome} about={text("fair.step4Text", { message: messageOf(drawn) })}>
      <StepFact name={text("fair.bytes")}>{recomputed && <Bytes bytes={recomputed.bytes} />}</StepFact>
      <StepFact name={text("fair.computed")}>{recomputed && <Dice dice={recomputed.dice} />}</StepFact>
      <StepFact name={text("fair.drawn")}>
        <Dice dice={drawn.dice} />
      </StepFact>
      {drawn.beacon === "" && <p className="text-sm text-muted">{text("fair.beaconNone")}</p>}
    </CheckStep>
  );
}

/** Each byte and its face; skipped bytes have none. */
function Bytes({ bytes }: { bytes: number[] }) {
  return (
    <ul className="figures flex flex-wrap gap-2 font-mono text-sm">
      {bytes.map((byte, place) => (
        <li key={place} className={`rounded-sm bg-sunken px-2 py-1 ${makesDie(byte) ? "" : "line-through"}`}>
          {makesDie(byte) ? `${byte} → ${(byte % 6) + 1}` : byte}
        </li>
      ))}
    </ul>
  );
}
