import { tagOf } from "#shared/locales.ts";
import { useLanguage } from "./use-text.ts";

const lists = new Map<string, Intl.ListFormat>();

/** A language's list. Each is made once: every draw on a screen is one. */
function listOf(tag: string): Intl.ListFormat {
  const known = lists.get(tag) ?? new Intl.ListFormat(tag, { style: "narrow" });
  lists.set(tag, known);
  return known;
}

/** Joins the names of a list as the reader's language writes them: “1, 2, 3”, “1、2、3”, “1, 2 y 3”. */
export function useList(): (items: readonly (string | number)[]) => string {
  const list = listOf(tagOf(useLanguage()));
  return (items) => list.format(items.map(String));
}
