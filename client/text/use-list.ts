import { tagOf } from "#shared/locales.ts";
import { useLanguage } from "./use-text.ts";

/** Joins the names of a list as the reader's language writes them: “1, 2, 3”, “1、2、3”, “1, 2 y 3”. */
export function useList(): (items: readonly (string | number)[]) => string {
  const list = new Intl.ListFormat(tagOf(useLanguage()), { style: "narrow" });
  return (items) => list.format(items.map(String));
}
