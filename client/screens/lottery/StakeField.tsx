import { Field } from "@base-ui/react/field";
import type { ReactNode } from "react";
import { useSite } from "#client/hooks/use-site.ts";
import { figures } from "#client/text/i18n.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
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

/** The stake per option: typed, a preset amount, or half, twice or all of it. */
export function StakeField({ stake, isLocked, most, error, onStake }: Props) {
  const text = useText();
  const isPoints = useSite().data?.unit === "point";
  const now = Number(stake);
  const step = (shown: string, to: number | null, name?: string) => (
    <StepButton shown={shown} name={name} isLocked={isLocked || !to} onPress={() => onStake(String(to))} />
  );
  return (
    <div className="flex flex-col gap-1.5">
      <Field.Root name="stake" disabled={isLocked} invalid={error !== null} className="flex flex-col gap-1">
        <Field.Label className="text-sm font-medium">{text("cart.stake")}</Field.Label>
        <div className="flex flex-wrap gap-2">
          {step("½", Math.floor(now / 2), text("cart.half"))}
          <Field.Control
            value={stake}
            onValueChange={onStake}
            inputMode="numeric"
            autoComplete="off"
            placeholder={text(isPoints ? "cart.stakeHint" : "cart.stakeUnits")}
            className="figures min-h-11 min-w-0 flex-[1_1_7rem] rounded-md border border-edge bg-card px-3 text-end text-base font-semibold placeholder:text-sm placeholder:font-normal placeholder:text-muted data-disabled:opacity-55 data-invalid:border-bad"
          />
          {step(figures("×2"), now * 2, text("cart.double"))}
          {step(text("cart.max"), most)}
        </div>
        <Field.Error match={error !== null} className="flex flex-wrap items-center gap-x-3 text-sm text-bad">
          {error}
        </Field.Error>
      </Field.Root>
      <QuickStakes stake={stake} isLocked={isLocked} onStake={onStake} />
    </div>
  );
}

interface StepProps {
  shown: string;
  name: string | undefined;
  isLocked: boolean;
  onPress: () => void;
}

function StepButton({ shown, name, isLocked, onPress }: StepProps) {
  return (
    <button
      type="button"
      disabled={isLocked}
      aria-label={name}
      onClick={onPress}
      className="min-h-11 min-w-11 rounded-md border border-edge px-2 text-sm font-semibold disabled:opacity-55"
    >
      {shown}
    </button>
  );
}

function QuickStakes({ stake, isLocked, onStake }: Pick<Props, "stake" | "isLocked" | "onStake">) {
  const text = useText();
  const format = numberFormat(tagOf(useLanguage()));
  return (
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
  );
}
