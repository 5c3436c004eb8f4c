import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { POINTS } from "#shared/unit.ts";

/** What the club is. Of points it speaks only where amounts are points. */
export function useIntro(): string {
  const text = useText();
  const isPoints = (useSite().data?.unit ?? POINTS) === POINTS;
  return text(isPoints ? "home.intro" : "home.introMoney");
}
