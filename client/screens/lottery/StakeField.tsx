import { Field } from "@base-ui/react/field";
import type { ReactNode } from "react";
import { useSite } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { tagOf } from "#shared/locales.ts";

const QUICK = [10, 50, 100, 500, 1_000];

interface Props {
  stake: string;
  isLocked: boolean;
  /** The most whole units that the balance allows on each option; null while unknown. */
  most: number | null;
  /** What is wrong with the stake, and the way on. */
  error: ReactNode;
  onStake: (typed: string) => void;
}

const STEP = "min-h-12 min-w-12 rounded-md border border-edge px-2 text-sm font-semibold disabled:opacity-55";

/** The stake per option: typed, a preset amount, or half, twice or all of it. */
export function StakeField({ stake, isLocked, most, error, onStake }: Props) {
  const text = useText();
  const isPoints = useSite().data?.unit === "point";
  const format = new Intl.NumberFormat(tagOf(useLanguage()));
  const now = Number(stake);
  const step = (shown: string, name: string | null, to: number | null) => (
    <button
      type="button"
      disabled={isLocked || !to}
      aria-label={name ?? undefined}
      onClick={() => onStake(String(to))}
      className={STEP}
    >
      {shown}
    </button>
  );
  return (
    <div className="flex flex-col gap-2">
      <Field.Root name="stake" disabled={isLocked} invalid={error !== null} className="flex flex-col gap-1">
        <Field.Label className="text-sm font-medium">{text("cart.stake")}</Field.Label>
        <div className="flex flex-wrap gap-2">
          {step("½", text("cart.half"), Math.floor(now / 2))}
          <Field.Control
            value={stake}
            onValueChange={onStake}
            inputMode="numeric"
            autoComplete="off"
            placeholder={text(isPoints ? "cart.stakeHint" : "cart.stakeUnits")}
            className="figures min-h-12 min-w-0 flex-[1_1_7rem] rounded-md border border-edge bg-card px-3 text-end text-base font-semibold placeholder:text-sm placeholder:font-normal placeholder:text-muted data-disabled:opacity-55 data-invalid:border-bad"
          />
          {step("×2", text("cart.double"), now * 2)}
          {step(text("cart.max"), null, most)}
        </div>
        <Field.Error match={error !== null} className="flex flex-wrap items-center gap-x-3 text-sm text-bad">
          {error}
        </Field.Error>
      </Field.Root>
      <div role="group" aria-label={text("cart.quick")} className="grid grid-tiles gap-2 [--columns:5] [--tile:3.2em]">
        {QUICK.map((amount) => (
          <button
            key={amount}
            type="button"
            disabled={isLocked}
            aria-pressed={stake === String(amount)}
            onClick={() => onStake(String(amount))}
            className="figures min-h-11 rounded-md border border-edge text-sm aria-pressed:border-brand-text aria-pressed:bg-brand-soft aria-pressed:font-semibold disabled:opacity-55"
          >
            {format.format(amount)}
          </button>
        ))}
      </div>
    </div>
  );
}
