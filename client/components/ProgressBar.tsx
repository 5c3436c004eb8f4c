import { useId } from "react";
import { useLanguage } from "#client/text/use-text.ts";
import { tagOf, type LocaleCode } from "#shared/locales.ts";
import { numberFormat } from "#shared/format.ts";

interface Props {
  /** The name of the task; screen readers say it before the number. */
  label: string;
  /** From 0 to 1; null while the progress is unknown. */
  value: number | null;
}

export function ProgressBar({ label, value }: Props) {
  const id = useId();
  const language = useLanguage();
  const share = value === null ? null : Math.min(Math.max(value, 0), 1);
  const shown = share === null ? undefined : percentIn(language, share);
  return (
    <div>
      <div className="flex items-baseline justify-between gap-2 pb-1 text-sm text-muted">
        <span id={id}>{label}</span>
        {shown && (
          <span aria-hidden className="figures">
            {shown}
          </span>
        )}
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === null ? undefined : Math.floor(share * 100)}
        aria-valuetext={shown}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={`h-full origin-left rounded-full bg-brand transition-transform duration-200 ${share === null ? "animate-wait" : ""}`}
          style={{ transform: `scaleX(${share ?? 1})` }}
        />
      </div>
    </div>
  );
}

/** Rounds down, so that 100 % means complete. */
const percentIn = (language: LocaleCode, share: number): string =>
  numberFormat(tagOf(language), { style: "percent" }).format(Math.floor(share * 100) / 100);
