import { TextField } from "#client/components/TextField.tsx";
import { useLanguage, useText } from "#client/hooks/use-text.ts";
import { tagOf } from "#shared/locales.ts";

const QUICK = [10, 50, 100, 500, 1_000];

interface Props {
  stake: string;
  isLocked: boolean;
  onStake: (typed: string) => void;
}

/** The stake on each option: typed, or one of the quick ones. */
export function StakeField({ stake, isLocked, onStake }: Props) {
  const text = useText();
  const format = new Intl.NumberFormat(tagOf(useLanguage()));
  return (
    <div className="flex flex-col gap-2">
      <TextField
        name="stake"
        label={text("cart.stake")}
        value={stake}
        onValue={onStake}
        inputMode="numeric"
        autoComplete="off"
        disabled={isLocked}
        placeholder={text("cart.stakeHint")}
      />
      <div role="group" aria-label={text("cart.quick")} className="grid grid-cols-5 gap-2">
        {QUICK.map((amount) => (
          <button
            key={amount}
            type="button"
            disabled={isLocked}
            aria-pressed={stake === String(amount)}
            onClick={() => onStake(String(amount))}
            className="figures min-h-11 rounded-md border border-edge text-sm aria-pressed:border-brand-text aria-pressed:bg-brand-soft aria-pressed:font-semibold"
          >
            {format.format(amount)}
          </button>
        ))}
      </div>
    </div>
  );
}
