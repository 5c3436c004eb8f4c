import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

const AMOUNTS = [100, 500, 1_000, 5_000, 10_000, 50_000];

interface Props {
  chosen: string;
  onChoose: (amount: string) => void;
}

/** Preset amounts. */
export function QuickAmounts({ chosen, onChoose }: Props) {
  const text = useText();
  const format = numberFormat(tagOf(useLanguage()));
  return (
    <div role="group" aria-label={text("recharge.quick")} className="grid grid-cols-3 gap-2">
      {AMOUNTS.map((amount) => (
        <button
          key={amount}
          type="button"
          aria-pressed={chosen === String(amount)}
          onClick={() => onChoose(String(amount))}
          className="figures min-h-12 rounded-md border border-edge bg-card text-base aria-pressed:border-brand-text aria-pressed:bg-brand-soft aria-pressed:font-semibold"
        >
          {format.format(amount)}
        </button>
      ))}
    </div>
  );
}
