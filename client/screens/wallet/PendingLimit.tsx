import { Hourglass } from "lucide-react";
import { showToast } from "#client/api/bus.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useLimitWrite } from "./use-limits.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { LimitName, Limits } from "#shared/contract/wallet.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

interface Props {
  name: LimitName;
  change: Limits["pending"][number];
  inForce: number | null;
}

/** A looser limit that waits for its start date. Until then one tap keeps the stricter one. */
export function PendingLimit({ name, change: { value, from }, inForce }: Props) {
  const text = useText();
  const time = useTime();
  const failure = useFailureText();
  const format = numberFormat(tagOf(useLanguage()));
  const { mutate, isPending } = useLimitWrite(() => showToast(text("limit.kept"), "good"));
  const keepLimit = () => {
    // Submitting the limit in force again cancels the pending one.
    if (!isPending) mutate({ [name]: String(inForce) }, { onError: (error) => showToast(failure(error), "bad") });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-md bg-sunken px-3 text-sm">
      <p className="flex items-center gap-2 py-2">
        <Hourglass size={16} aria-hidden className="shrink-0 text-amber" />
        {value === null
          ? text("limit.pendingNone", { date: time(from) })
          : text("limit.pending", { date: time(from), value: format.format(value) })}
      </p>
      {inForce !== null && (
        <button
          type="button"
          aria-disabled={isPending || undefined}
          onClick={keepLimit}
          className="min-h-11 font-medium text-brand-text underline-offset-4 hover:underline"
        >
          {text("limit.keep")}
        </button>
      )}
    </div>
  );
}
