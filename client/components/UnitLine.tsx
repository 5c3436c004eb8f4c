import { useSite } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { tagOf } from "#shared/locales.ts";

/** The unit of all amounts on the screen: points, which are not money, or the site's currency. */
export function UnitLine({ className = "mb-3" }: { className?: string }) {
  const text = useText();
  const language = useLanguage();
  const unit = useSite().data?.unit;
  // Reserves the space, so that nothing shifts once the unit is known.
  if (unit === undefined) return <p className={`min-h-4 text-xs ${className}`} aria-hidden />;
  const names = new Intl.DisplayNames(tagOf(language), { type: "currency" });
  return (
    <p data-unit={unit} className={`text-xs text-balance text-muted ${className}`}>
      {unit === "point"
        ? text("unit.pointLine")
        : text("unit.moneyLine", { unit: `${names.of(unit) ?? unit} (${unit})` })}
    </p>
  );
}
