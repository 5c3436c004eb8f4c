import { tagOf } from "#shared/locales.ts";
import { SECOND_MS } from "#shared/time.ts";
import { useLanguage } from "./use-text.ts";

/** Writes unix seconds as day and time of the reader's place and language. */
export function useTime(style: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }) {
  const tag = tagOf(useLanguage());
  return (seconds: number) => new Intl.DateTimeFormat(tag, style).format(seconds * SECOND_MS);
}
