import { useEndpoint } from "#client/api/queries.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { formatMoney } from "#shared/format.ts";
import { fromDecimal, type Money } from "#shared/money.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";

/** The site's settings; pushed when the operator changes them. */
export const useSite = () => useEndpoint(systemBase, {}, { staleTime: Infinity });

export const useSiteName = (): string => useSite().data?.name || "Trio";

/** The member who is logged in; nothing for guests. */
export function useUser() {
  const isMember = useIsMember();
  return useEndpoint(getUserInfo, {}, { enabled: isMember });
}

/** What a member can bet or spend, in 1/100 unit; null while it is not known. */
export function useBalance(): Money | null {
  const { data } = useUser();
  return data ? fromDecimal(data.money) : null;
}

/** Writes an amount in the reader's language, from the wire's decimal or from 1/100 units. */
export function useMoney(): (amount: string | Money) => string {
  const language = useLanguage();
  const unit = useSite().data?.unit ?? "point";
  return (amount) => formatMoney(typeof amount === "string" ? fromDecimal(amount) : amount, unit, language);
}

/** The same with points in words, for where an amount stands by itself: in a dialog, a toast or a bar. */
export function useFormatMoney(): (amount: string | Money) => string {
  const text = useText();
  const money = useMoney();
  const isPoints = (useSite().data?.unit ?? "point") === "point";
  return (amount) => (isPoints ? text("unit.points", { amount: money(amount) }) : money(amount));
}

/** Whether games wait because the house plays for money and has no licence. */
export function useIsUnlicensed(): boolean {
  const { data: site } = useSite();
  return site !== undefined && site.unit !== "point" && !site.licence;
}
