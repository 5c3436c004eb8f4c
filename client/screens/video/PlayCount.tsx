import { Play } from "lucide-react";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

/** The play count: rounded on the screen, exact for screen readers. */
export function PlayCount({ count }: { count: number }) {
  const text = useText();
  const tag = tagOf(useLanguage());
  const short = numberFormat(tag, { notation: "compact", maximumFractionDigits: 1 }).format(count);
  return (
    <span className="figures inline-flex items-center gap-1">
      <Play size={12} aria-hidden />
      <span aria-hidden>{short}</span>
      <span className="sr-only">{text("hall.plays", { count, shown: numberFormat(tag).format(count) })}</span>
    </span>
  );
}
