import { Heart } from "lucide-react";
import { useText } from "#client/text/use-text.ts";
import { useLanguage } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

const HEARTS = [0, 1, 2, 3, 4, 5] as const;

/** Six hearts, filled to the members' mean rating; screen readers read the number. */
export function Hearts({ value, size = 14 }: { value: number; size?: number }) {
  const text = useText();
  const number = numberFormat(tagOf(useLanguage()), { maximumFractionDigits: 1 }).format(value);
  return (
    <span role="img" aria-label={text("listing.hearts", { hearts: number })} className="inline-flex gap-0.5">
      {HEARTS.map((place) => (
        <OneHeart key={place} full={Math.min(1, Math.max(0, value - place))} size={size} />
      ))}
    </span>
  );
}

function OneHeart({ full, size }: { full: number; size: number }) {
  return (
    <span className="relative inline-flex">
      <Heart size={size} aria-hidden className="text-edge" />
      {full > 0 && (
        <span style={{ width: `${full * 100}%` }} className="absolute inset-y-0 start-0 overflow-hidden">
          <Heart size={size} aria-hidden className="fill-brand text-brand" />
        </span>
      )}
    </span>
  );
}
