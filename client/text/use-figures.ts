import type { RefusedCall } from "#client/api/call-error.ts";
import { useFormatMoney } from "#client/hooks/use-site.ts";
import { LIMIT_FIELDS } from "#shared/contract/wallet.ts";
import { DIVIDER, formatTime, numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import type { TextKey } from "./i18n.ts";
import { useLanguage, useText } from "./use-text.ts";

/** Says in figures what leads on from a refusal; null where it has none, as one of an older server. */
export function useFigures(): (no: RefusedCall) => string | null {
  const text = useText();
  const money = useFormatMoney();
  const language = useLanguage();
  const time = (ms: number, style: Intl.DateTimeFormatOptions) => formatTime(ms, language, style);
  return ({
    reason,
    figures: { missing, limit, left, resets_ms: resets, state, next_ms: next, tries_left: tries },
  }) => {
    if (reason === "balance.insufficient" || reason === "withdraw.beyond")
      return isDecimal(missing) ? text("figure.missing", { amount: money(missing) }) : null;
    if (reason === "limit.reached") {
      const name = LIMIT_FIELDS.find((one) => one === limit);
      if (!name || !isDecimal(left) || typeof resets !== "number") return null;
      const [kind, period] = name.split("_").map((part) => text(`limit.${part}` as TextKey));
      const anew = text("figure.resets", { time: time(resets, { dateStyle: "medium", timeStyle: "short" }) });
      return [kind, period, text("limit.left", { amount: money(left) }), anew].join(DIVIDER);
    }
    if (reason === "round.closed") {
      if (state === "paused") return text("round.paused");
      // While a round is open, the refusal's own words lead to it.
      if (state !== "drawing" || typeof next !== "number") return null;
      return text("figure.next", { time: time(next, { timeStyle: "medium" }) });
    }
    if (reason === "passcode.wrong" && typeof tries === "number")
      return text("figure.tries", { tries: numberFormat(tagOf(language)).format(tries) });
    return null;
  };
}

const isDecimal = (figure: unknown): figure is string => typeof figure === "string" && /^\d+\.\d\d$/.test(figure);
