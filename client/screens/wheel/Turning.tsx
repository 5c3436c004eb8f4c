import { useState, type ReactNode, type Ref } from "react";
import { Link } from "react-router";
import { FailedNote } from "#client/components/Notes.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useBalance, useIsUnlicensed } from "#client/hooks/use-site.ts";
import { useBreakText } from "#client/screens/wallet/BreakNote.tsx";
import { useText } from "#client/text/use-text.ts";
import type { SpinActor, SpinSnapshot } from "./use-wheel-spin.ts";
import { FREE } from "#client/machines/wheel-spin.ts";
import { sectorsOf, stopAngle } from "#client/machines/wheel-sectors.ts";
import type { Prize } from "#shared/contract/wheel.ts";
import { fromDecimal } from "#shared/money.ts";
import { GoButton } from "./GoButton.tsx";
import { isFor, pairForSpin, type Seeds } from "./kept-pairs.ts";
import { PairNotes } from "./PairNotes.tsx";
import { SpinsLeft } from "./SpinsLeft.tsx";
import { usePairTold } from "./use-pair-told.ts";
import { Wheel } from "./Wheel.tsx";

const [LEFT, WHY] = ["spins-left", "spin-refused"];

interface Props {
  /** The button in its middle. */
  goRef: Ref<HTMLButtonElement>;
  actor: SpinActor;
  snapshot: SpinSnapshot;
  prizes: readonly Prize[];
  /** Undefined until the price of a spin is known; until then the button is disabled. */
  seeds: Seeds | undefined;
  /** When the break ends that closes the wheel. */
  breakEnd: number | null;
  failed: Error | null;
  onRetry: () => void;
}

/** The wheel with its button, any refusal, the spins left and the status of a running spin. */
export function TurningWheel({ goRef, actor, snapshot, prizes, seeds, breakEnd, failed, onRetry }: Props) {
  const isUnlicensed = useIsUnlicensed();
  const { won, turns } = snapshot.context;
  const sectors = sectorsOf(prizes);
  const angle = useAngle(won ? stopAngle(sectors, won.id, turns) : null);
  const isRefused = snapshot.matches("refused");
  const isReady = snapshot.matches("ready");
  const price = seeds ? priceOf(seeds) : null;
  const isEmpty = (isReady || isRefused) && seeds?.spins_left === 0 && price === null;
  // What a spin under way takes is not shown before the wheel stands.
  const isShort = useIsBelow(price) && isReady;
  const { isTold, isUntold, isTableUntold } = usePairTold(seeds, prizes);
  const needsWords = seeds !== undefined && (seeds.commit === null || !isFor(seeds, prizes));
  const waits = needsWords && !isTold;
  const isOnBreak = breakEnd !== null;
  return (
    <div className="flex flex-col items-center gap-3">
      <div className="relative size-75">
        <Wheel sectors={sectors} angle={angle} isTurning={snapshot.matches("turning")} />
        <GoButton
          ref={goRef}
          price={isOnBreak ? null : price}
          isBusy={!isRefused && !isReady}
          isClosed={isRefused || isUnlicensed || !seeds || isEmpty || isShort || waits || isOnBreak}
          isLocked={isEmpty || isOnBreak}
          describedBy={isRefused ? WHY : LEFT}
          onGo={() =>
            seeds && actor.send({ type: "spin", wheel: prizes, price: price ?? FREE, ...pairForSpin(seeds, prizes) })
          }
        />
      </div>
      <Below seeds={seeds} breakEnd={breakEnd} snapshot={snapshot} failed={failed} onRetry={onRetry} isShort={isShort}>
        {isReady && waits && !isOnBreak && <WhyWaiting isUntold={isUntold} isTableUntold={isTableUntold} />}
      </Below>
      {isReady && seeds && <PairNotes seeds={seeds} wheel={prizes} />}
    </div>
  );
}

/** Whether the balance is below a price; false while either is unknown. */
function useIsBelow(price: string | null): boolean {
  const balance = useBalance();
  return price !== null && balance !== null && balance < fromDecimal(price);
}

type BelowProps = Pick<Props, "seeds" | "breakEnd" | "snapshot" | "failed" | "onRetry"> & {
  isShort: boolean;
  children: ReactNode;
};

/** What is said below the wheel. As high as its longest words, so that nothing further down moves. */
function Below({ seeds, breakEnd, snapshot, failed, onRetry, isShort, children }: BelowProps) {
  const isPriced = seeds !== undefined && seeds.spin_price !== FREE;
  return (
    <div className={`flex w-full flex-col items-center gap-1 ${isPriced ? "min-h-36" : "min-h-19"}`}>
      {breakEnd !== null ? (
        <OnBreak until={breakEnd} />
      ) : failed ? (
        <FailedNote error={failed} onRetry={onRetry} />
      ) : (
        <SpinsLeft id={LEFT} seeds={seeds} isShort={isShort} />
      )}
      <Stage snapshot={snapshot} />
      <WhyRefused snapshot={snapshot} />
      {children}
    </div>
  );
}

/** Until when the wheel is closed to this member, and where the break is. */
function OnBreak({ until }: { until: number }) {
  const text = useText();
  const onBreak = useBreakText();
  return (
    <div className="flex flex-col items-center text-center">
      <p id={LEFT} role="status" className="font-semibold text-balance">
        {onBreak(until)}
      </p>
      <Link
        to="/Limits"
        className="flex min-h-11 items-center text-sm font-semibold text-brand-text underline underline-offset-4"
      >
        {text("mine.limits")}
      </Link>
    </div>
  );
}

/** Why the last spin was refused, and that the wheel stays locked. */
function WhyRefused({ snapshot }: { snapshot: SpinSnapshot }) {
  const text = useText();
  const failure = useFailureText();
  const { refusal } = snapshot.context;
  const isRefused = snapshot.matches("refused");
  const isTold = refusal !== null && (isRefused || snapshot.matches("ready"));
  return (
    <div id={WHY} className="flex flex-col items-center gap-1 empty:hidden">
      <Refusal>{isTold ? failure(refusal) : undefined}</Refusal>
      {isRefused && <p className="text-center text-sm text-balance">{text("wheel.locked")}</p>}
    </div>
  );
}

/** What the log lacks before words may be made. */
function WhyWaiting({ isUntold, isTableUntold }: { isUntold: boolean; isTableUntold: boolean }) {
  const text = useText();
  if (!isUntold && !isTableUntold) return null;
  return (
    <p className="text-center text-sm text-balance text-muted">
      {text(isUntold ? "wheel.untold" : "wheel.tableUntold")}
    </p>
  );
}

/** The price of the next spin; null when it is free or no spin is for sale. */
const priceOf = ({ spins_left, spin_price }: Seeds) => (spins_left === 0 && spin_price !== "0.00" ? spin_price : null);

/** The spin's status, for screen readers too. */
function Stage({ snapshot }: { snapshot: SpinSnapshot }) {
  const text = useText();
  const statusText = (): string => {
    if (snapshot.matches("unsure")) return text("wheel.unsure");
    if (!snapshot.matches("asking") && !snapshot.matches("turning")) return "";
    return text(snapshot.context.isAgain ? "wheel.again" : "wheel.asking");
  };
  return (
    <p role="status" className="text-center text-sm text-balance text-muted">
      {statusText()}
    </p>
  );
}

/** The last stop angle; the wheel stays there until the next one. */
function useAngle(stop: number | null): number {
  const [angle, setAngle] = useState(0);
  if (stop !== null && stop !== angle) setAngle(stop);
  return stop ?? angle;
}
