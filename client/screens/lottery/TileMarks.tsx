import { useMoney } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import type { Marks } from "./odds-item.ts";

/** The member's stake as a chip on a tile's corner, and a ring around a tile that has just fallen. */
export function TileMarks({ mark }: { mark: ReturnType<Marks["get"]> }) {
  const text = useText();
  const money = useMoney();
  const short = numberFormat(tagOf(useLanguage()), { notation: "compact" });
  if (!mark) return null;
  const { stake, hasFallen } = mark;
  return (
    <>
      {hasFallen && (
        <span aria-hidden className="absolute -inset-1 animate-wait rounded-md border-3 border-amber-bright" />
      )}
      {stake !== null && (
        <span
          aria-hidden
          className="figures absolute -start-1.5 -top-2 rounded-full bg-ink px-1.5 py-px text-xs/none font-semibold text-paper"
        >
          {short.format(Number(stake))}
        </span>
      )}
      <span className="sr-only">
        {hasFallen && ` ${text("own.fallen")} `}
        {stake !== null && ` ${text("own.onTile", { amount: money(stake) })} `}
      </span>
    </>
  );
}
