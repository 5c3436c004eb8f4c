import { Field } from "@base-ui/react/field";
import { Meter } from "#client/components/Meter.tsx";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { useMoney } from "#client/hooks/use-site.ts";
import type { LimitField as LimitedAmount, LimitName, Limits } from "#shared/contract/wallet.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { MAX_UNITS } from "#shared/money.ts";
import { PendingLimit } from "./PendingLimit.tsx";
import { MOST_MINUTES, usedOf } from "./use-limits.ts";

interface Props {
  name: LimitName;
  label: string;
  typed: string;
  onType: (typed: string) => void;
  isWrong: boolean;
  limits: Limits;
}

/** One limit, and below it any looser limit still pending. An empty field means no limit. */
export function LimitField({ name, label, typed, onType, isWrong, limits }: Props) {
  const text = useText();
  const format = numberFormat(tagOf(useLanguage()));
  const pending = limits.pending.find((change) => change.name === name);
  const isMinutes = name === "remind_minutes";
  const problem = isMinutes
    ? text("limit.wrongMinutes", { most: format.format(MOST_MINUTES) })
    : text("limit.wrong", { most: format.format(MAX_UNITS) });
  return (
    <div className="flex flex-col gap-1">
      <Field.Root name={name} invalid={isWrong} className="grid grid-cols-2 items-center gap-x-3 gap-y-1">
        <Field.Label className="text-sm">{label}</Field.Label>
        <Field.Control
          value={typed}
          onValueChange={onType}
          inputMode="numeric"
          autoComplete="off"
          placeholder={isMinutes ? undefined : text("limit.none")}
          className="figures placeholder:text-muted min-h-11 w-full rounded-md border border-edge bg-card px-3 text-end text-base data-invalid:border-bad"
        />
        <Field.Error match={isWrong} className="col-span-2 text-end text-sm text-bad">
          {problem}
        </Field.Error>
      </Field.Root>
      {name !== "remind_minutes" && <Left name={name} label={label} limits={limits} />}
      {pending && <PendingLimit name={name} change={pending} inForce={limits[name]} />}
    </div>
  );
}

/** What the limit in force leaves now, as a bar that fills with what is used. */
function Left({ name, label, limits }: { name: LimitedAmount; label: string; limits: Limits }) {
  const text = useText();
  const money = useMoney();
  const left = limits.left[name];
  const share = usedOf(limits, name);
  if (left === null || share === null) return null;
  const words = text("limit.left", { amount: money(left) });
  return (
    <div className="flex flex-col gap-1">
      <p aria-hidden className="figures text-end text-sm text-muted">
        {words}
      </p>
      <Meter label={label} share={share} words={words} />
    </div>
  );
}
