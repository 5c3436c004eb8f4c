import { useLanguage, useText } from "#client/text/use-text.ts";
import { figures } from "#client/text/i18n.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

const QUICK = [10, 50, 100, 500, 1_000];

export interface Stepping {
  stake: string;
  isLocked: boolean;
  onStake: (typed: string) => void;
}

export function HalfStep(given: Stepping) {
  const name = useText()("cart.half");
  return <Step shown="½" name={name} to={Math.floor(Number(given.stake) / 2)} {...given} />;
}

export function DoubleStep(given: Stepping) {
  const name = useText()("cart.double");
  return <Step shown={figures("×2")} name={name} to={Number(given.stake) * 2} {...given} />;
}

/** Stakes all that is there: `most` whole units; null while that is unknown. */
export function MostStep({ most, ...given }: Stepping & { most: number | null }) {
  return <Step shown={useText()("cart.max")} to={most} {...given} />;
}

interface StepProps extends Stepping {
  shown: string;
  name?: string;
  to: number | null;
}

function Step({ shown, name, to, isLocked, onStake }: StepProps) {
  return (
    <button
      type="button"
      disabled={isLocked || !to}
      // Who speaks to the device says what is to be seen.
      aria-label={name && `${shown} ${name}`}
      onClick={() => onStake(String(to))}
      className="min-h-11 min-w-11 shrink-0 rounded-md border border-edge px-2 text-sm font-semibold disabled:opacity-55"
    >
      {shown}
    </button>
  );
}

/** A button for each preset amount, which says whether it is the stake. */
export function QuickSteps({ stake, isLocked, onStake }: Stepping) {
  const format = numberFormat(tagOf(useLanguage()));
  return QUICK.map((amount) => (
    <button
      key={amount}
      type="button"
      disabled={isLocked}
      aria-pressed={stake === String(amount)}
      onClick={() => onStake(String(amount))}
      className="figures min-h-11 min-w-11 shrink-0 rounded-md border border-edge px-1 text-sm aria-pressed:border-brand-text aria-pressed:bg-brand-soft aria-pressed:font-semibold disabled:opacity-55"
    >
      {format.format(amount)}
    </button>
  ));
}
