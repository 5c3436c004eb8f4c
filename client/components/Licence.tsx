import { Ban } from "lucide-react";
import { useIsUnlicensed, useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";

/** The notice above a real-money game without a licence: betting is closed, and why. */
export function LicenceMissing() {
  const text = useText();
  const isMissing = useIsUnlicensed();
  return (
    <div role="status">
      {isMissing && (
        <div className="mb-4 flex gap-2 rounded-md bg-bad-soft px-4 py-3 text-sm text-ink">
          <Ban size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          <div>
            <p className="font-semibold">{text("unit.unlicensed")}</p>
            <p>{text("unit.unlicensedHint")}</p>
          </div>
        </div>
      )}
    </div>
  );
}

/** The site's licence, shown below every game while the site uses real money. */
export function LicenceLine() {
  const text = useText();
  const { data: site } = useSite();
  if (!site || site.unit === "point" || !site.licence) return null;
  return (
    <p className="py-4 text-center text-xs break-words text-muted">{text("unit.licence", { licence: site.licence })}</p>
  );
}
