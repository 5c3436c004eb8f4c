import { useEndpoint } from "#client/api/queries.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { formatMoney, nameMoney } from "#shared/format.ts";
import { fromDecimal, type Money } from "#shared/money.ts";
import { POINTS } from "#shared/unit.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";

/** The site's settings; the server pushes changes by the operator. */
export const useSite = () => useEndpoint(systemBase, {}, { staleTime: Infinity });

export const useSiteName = (): string => useSite().data?.name || "Trio";

/** The logged-in member; no data for guests. */
export function useUser() {
  const isMember = useIsMember();
  return useEndpoint(getUserInfo, {}, { enabled: isMember });
}

/** The member's available balance in 1/100 unit; null while unknown. */
export function useBalance(): Money | null {
  const { data } = useUser();
  return data ? fromDecimal(data.money) : null;
}

const minorOf = (amount: string | Money): Money => (typeof amount === "string" ? fromDecimal(amount) : amount);

/** Formats an amount in the reader's language, from the wire's decimal string or from 1/100 units. */
export function useMoney(): (amount: string | Money) => string {
  const language = useLanguage();
  const unit = useSite().data?.unit ?? POINTS;
  return (amount) => formatMoney(minorOf(amount), unit, language);
}

/** Like `useMoney`, but names the points, for an amount on its own: in a dialog, a toast or a bar. */
export function useFormatMoney(): (amount: string | Money) => string {
  const text = useText();
  const language = useLanguage();
  const unit = useSite().data?.unit ?? POINTS;
  return (amount) => nameMoney(minorOf(amount), unit, language, (values) => text("unit.points", values));
}

/** Whether betting is closed because the site uses real money and has no licence. */
export function useIsUnlicensed(): boolean {
  const { data: site } = useSite();
  return site !== undefined && site.unit !== POINTS && !site.licence;
}
