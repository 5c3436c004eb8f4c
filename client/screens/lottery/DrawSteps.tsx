import { Dice } from "#client/components/Dice.tsx";
import type { FairRound } from "./use-draw-check.ts";
import { figures } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import type { Recomputed } from "#client/machines/recompute-draw.ts";
import { DIVIDER } from "#shared/format.ts";
import { makesDie } from "#shared/lottery/dice.ts";
import { namedBeacon, NO_BEACON } from "#shared/lottery/beacon.ts";
import { messageOf, type ChainDraw, type DrawCheck } from "#shared/lottery/fairness.ts";
import { CheckStep, Hex, StepFact, type Outcome } from "./CheckStep.tsx";
import { OddsStep } from "./OddsStep.tsx";

interface Props {
  round: FairRound;
  /** Null until the round is drawn. */
  drawn: ChainDraw | null;
  recomputed: Recomputed | undefined;
}

const outcomeIn =
  (recomputed: Recomputed | undefined) =>
  (check: DrawCheck): Outcome => {
    if (!recomputed) return "checking";
    return recomputed.failed.includes(check) ? "differs" : "matches";
  };

/** The check of a round in five steps: the published data, and the values computed from it on this device. */
export function DrawSteps({ round, drawn, recomputed }: Props) {
  const text = useText();
  const outcome = outcomeIn(recomputed);
  return (
    <ol className="flex flex-col gap-3">
      <CheckStep
        step={1}
        title={text("fair.step1")}
        outcome={drawn && outcome("commit")}
        about={text("fair.step1Text")}
      >
        <Hex name={text("fair.commit")} value={round.commit ?? ""} />
      </CheckStep>
      {drawn && (
        <>
          <CheckStep step={2} title={text("fair.step2")} outcome={outcome("commit")} about={text("fair.step2Text")}>
            <Hex name={text("fair.seed")} value={drawn.seed} />
            <Hex name={`SHA-256${DIVIDER}${text("fair.computed")}`} value={recomputed?.commit} />
          </CheckStep>
          <ChainStep step={3} drawn={drawn} recomputed={recomputed} />
          <DiceStep step={4} drawn={drawn} recomputed={recomputed} title={text("fair.drawn")} />
        </>
      )}
      {round.odds && <OddsStep step={drawn ? 5 : 2} kind={round.kind} odds={round.odds} />}
    </ol>
  );
}

/** What a round in a gap would have drawn. Nothing of it was promised before, so only the chain can prove it. */
export function MissedSteps({ missed, recomputed }: { missed: ChainDraw } & Pick<Props, "recomputed">) {
  const text = useText();
  return (
    <ol className="flex flex-col gap-3">
      <ChainStep step={1} drawn={missed} recomputed={recomputed} hasSeed />
      <DiceStep step={2} drawn={missed} recomputed={recomputed} title={text("fair.wouldBe")} />
    </ol>
  );
}

interface StepProps extends Pick<Props, "recomputed"> {
  step: number;
  drawn: ChainDraw;
}

function ChainStep({ step, drawn, recomputed, hasSeed = false }: StepProps & { hasSeed?: boolean }) {
  const text = useText();
  const about = text("fair.step3Text", { count: drawn.index });
  return (
    <CheckStep step={step} title={text("fair.step3")} outcome={outcomeIn(recomputed)("anchor")} about={about}>
      {hasSeed && <Hex name={text("fair.seed")} value={drawn.seed} />}
      <Hex name={text("fair.anchor")} value={drawn.anchor} />
      <Hex name={text("fair.computed")} value={recomputed?.anchor} />
    </CheckStep>
  );
}

const worseOf = (one: Outcome, other: Outcome): Outcome => (one === "differs" ? one : other);

/** `title` names the dice that the server tells. */
function DiceStep({ step, drawn, recomputed, title }: StepProps & { title: string }) {
  const text = useText();
  const outcome = outcomeIn(recomputed);
  const named = namedBeacon(drawn.rule);
  return (
    <CheckStep
      step={step}
      title={text("fair.step4")}
      outcome={worseOf(outcome("beacon"), outcome("dice"))}
      about={text("fair.step4Text", { message: messageOf(drawn) })}
    >
      <StepFact name={text("fair.bytes")}>{recomputed && <Bytes bytes={recomputed.bytes} />}</StepFact>
      <StepFact name={text("fair.computed")}>{recomputed && <Dice dice={recomputed.dice} />}</StepFact>
      <StepFact name={title}>
        <Dice dice={drawn.dice} />
      </StepFact>
      {recomputed?.failed.includes("beacon") && (
        <p className="text-sm font-semibold text-bad">{text("fair.beaconFalse")}</p>
      )}
      {drawn.rule === NO_BEACON && <p className="text-sm text-muted">{text("fair.beaconNone")}</p>}
      {named && (
        <>
          <Hex name={text("fair.beaconSignature")} value={drawn.signature} />
          <Hex name={text("fair.beaconValue")} value={drawn.beacon} />
          <p className="text-sm text-muted">{text("fair.beaconText", { number: named.round })}</p>
        </>
      )}
    </CheckStep>
  );
}

/** Each byte and its face; skipped bytes have none. */
function Bytes({ bytes }: { bytes: number[] }) {
  return (
    <ul className="figures flex flex-wrap gap-2 font-mono text-sm">
      {bytes.map((byte, place) => (
        <li key={place} className={`rounded-sm bg-sunken px-2 py-1 ${makesDie(byte) ? "" : "line-through"}`}>
          {makesDie(byte) ? figures(`${byte} → ${(byte % 6) + 1}`) : byte}
        </li>
      ))}
    </ul>
  );
}
