import { ChevronsLeft, ChevronsRight } from "lucide-react";
import type { Skip } from "./use-double-tap.ts";
import { useLanguage } from "#client/text/use-text.ts";
import { tagOf } from "#shared/locales.ts";

/** How far a double tap led, where it was tapped. */
export function SkipMark({ skip }: { skip: Skip | null }) {
  const tag = tagOf(useLanguage());
  if (!skip) return null;
  const isBack = skip.way < 0;
  const Way = isBack ? ChevronsLeft : ChevronsRight;
  const seconds = new Intl.NumberFormat(tag, { style: "unit", unit: "second", unitDisplay: "short" });
  return (
    <div
      aria-hidden
      className={`pointer-events-none absolute inset-y-0 grid w-1/3 place-content-center justify-items-center bg-stage/50 text-sm text-on-stage ${isBack ? "start-0" : "end-0"}`}
    >
      <Way size={28} />
      {seconds.format(skip.seconds)}
    </div>
  );
}
