import { useSite } from "#client/hooks/use-site.ts";
import { LOCALES } from "#shared/locales.ts";

/** The languages the site offers; all supported ones until the server answers. */
export function useLanguages() {
  const offered = useSite().data?.lang_data;
  const ours = LOCALES.filter(({ code }) => offered?.some((one) => one.code === code));
  return ours.length > 0 ? ours : LOCALES;
}
