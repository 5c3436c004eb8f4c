import { useRef } from "react";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { usePrevious } from "#client/hooks/use-previous.ts";
import { useText } from "#client/text/use-text.ts";
import type { useWheelSeeds } from "./use-wheel-seeds.ts";
import { useWheelSpin } from "./use-wheel-spin.ts";
import type { Won } from "#client/machines/wheel-spin.ts";
import type { Prize } from "#shared/contract/wheel.ts";
import { fromDecimal } from "#shared/money.ts";
import { Chances } from "./Chances.tsx";
import { PrizeSheet } from "./PrizeSheet.tsx";
import { TurningWheel } from "./Turning.tsx";
import { Winners, type useWinners } from "./Winners.tsx";

interface Props {
  prizes: Prize[];
  isOff: boolean;
  /** When the member's break ends, in seconds since the epoch; null without one. */
  breakEnd: number | null;
  seeds: ReturnType<typeof useWheelSeeds>;
  winners: ReturnType<typeof useWinners>;
}

/**
 * The running wheel. A spin is shown to its end, whatever is switched off or fetched meanwhile. Nothing here reveals
 * the prize before the wheel stops.
 */
export function Spinning({ prizes, isOff, breakEnd, seeds, winners }: Props) {
  const text = useText();
  const go = useRef<HTMLButtonElement>(null);
  const { actor, snapshot } = useWheelSpin(prizes, seeds.data?.member);
  const { won, wheel, price } = snapshot.context;
  const isReady = snapshot.matches("ready");
  const isShown = snapshot.matches("shown");
  const isFrozen = !isReady && !isShown && !snapshot.matches("refused");
  const seedsNow = usePrevious(seeds.data, isFrozen);
  const shown = isReady ? prizes : wheel;
  if (isReady && isOff) return <NoWheel title={text("wheel.off")} />;
  if (isReady && prizes.length === 0) return <NoWheel title={text("wheel.noPrizes")} />;
  return (
    <div className="two-columns">
      <TurningWheel
        goRef={go}
        actor={actor}
        snapshot={snapshot}
        prizes={shown}
        seeds={seedsNow}
        breakEnd={isReady ? breakEnd : null}
        failed={seedsNow || isFrozen ? null : seeds.error}
        onRetry={() => void seeds.refetch()}
      />
      <div className="flex flex-col gap-5">
        <Chances prizes={shown} />
        <Winners winners={winners} isHeld={isFrozen} toWheel={() => go.current?.focus()} />
      </div>
      <PrizeSheet
        won={won}
        isGain={isGain(wheel, won, price)}
        isOpen={isShown}
        onClose={() => actor.send({ type: "close" })}
      />
    </div>
  );
}

/** Whether the prize is worth more than its spin cost. Points that do not cover the price are no gain. */
function isGain(wheel: readonly Prize[], won: Won | null, price: string): boolean {
  const prize = wheel.find(({ id }) => id === won?.id);
  if (!prize || prize.kind === "thanks") return false;
  return prize.kind !== "points" || fromDecimal(prize.amount) > fromDecimal(price);
}

/** Why there is no wheel, and the way on. */
export function NoWheel({ title }: { title: string }) {
  const text = useText();
  return (
    <EmptyNote drawing="wheel" title={title}>
      <ButtonLink look="quiet" to="/Home">
        {text("action.toHome")}
      </ButtonLink>
    </EmptyNote>
  );
}
