import { Field } from "@base-ui/react/field";
import { useSite } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { tagOf } from "#shared/locales.ts";

const QUICK = [10, 50, 100, 500, 1_000];

interface Props {
  stake: string;
  isLocked: boolean;
  onStake: (typed: string) => void;
}

/** The stake per option: typed, or a preset amount. */
export function StakeField({ stake, isLocked, onStake }: Props) {
  const text = useText();
  const isPoints = useSite().data?.unit === "point";
  const format = new Intl.NumberFormat(tagOf(useLanguage()));
  return (
    <div className="flex flex-col gap-2">
      <Field.Root name="stake" disabled={isLocked} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Field.Label className="flex-[1_1_7rem] text-sm font-medium">{text("cart.stake")}</Field.Label>
        <Field.Control
          value={stake}
          onValueChange={onStake}
          inputMode="numeric"
          autoComplete="off"
          placeholder={text(isPoints ? "cart.stakeHint" : "cart.stakeUnits")}
          className="figures min-h-12 min-w-0 flex-[0_1_11rem] rounded-md border border-edge bg-card px-3 text-end text-base font-semibold placeholder:text-sm placeholder:font-normal placeholder:text-muted data-disabled:opacity-55"
        />
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
