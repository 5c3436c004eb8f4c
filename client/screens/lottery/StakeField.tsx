import { Field } from "@base-ui/react/field";
import type { ReactNode } from "react";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { DoubleStep, HalfStep, MostStep, QuickSteps, type Stepping } from "./StakeSteps.tsx";

interface Props extends Stepping {
  /** The most whole units that the balance allows on each option; null while unknown. */
  most: number | null;
  /** What is wrong with the stake, and the way on. */
  error: ReactNode;
}

/** The stake per option: typed, a preset amount, or half, twice or all of it. */
export function StakeField({ most, error, ...stepping }: Props) {
  const text = useText();
  const isPoints = useSite().data?.unit === "point";
  const { stake, isLocked, onStake } = stepping;
  return (
    <div className="flex flex-col gap-1.5">
      <Field.Root name="stake" disabled={isLocked} invalid={error !== null} className="flex flex-col gap-1">
        <Field.Label className="text-sm font-medium">{text("cart.stake")}</Field.Label>
        <div className="flex flex-wrap gap-2">
          <HalfStep {...stepping} />
          <Field.Control
            value={stake}
            onValueChange={onStake}
            inputMode="numeric"
            autoComplete="off"
            placeholder={text(isPoints ? "cart.stakeHint" : "cart.stakeUnits")}
            className="figures min-h-11 min-w-0 flex-[1_1_7rem] rounded-md border border-edge bg-card px-3 text-end text-base font-semibold placeholder:text-sm placeholder:font-normal placeholder:text-muted data-disabled:opacity-55 data-invalid:border-bad"
          />
          <DoubleStep {...stepping} />
          <MostStep most={most} {...stepping} />
        </div>
        <Field.Error match={error !== null} className="flex flex-wrap items-center gap-x-3 text-sm text-bad">
          {error}
        </Field.Error>
      </Field.Root>
      <div role="group" aria-label={text("cart.quick")} className="grid grid-tiles gap-2 [--columns:5] [--tile:3.2em]">
        <QuickSteps {...stepping} />
      </div>
    </div>
  );
}
