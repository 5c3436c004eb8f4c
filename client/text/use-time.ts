import { formatTime } from "#shared/format.ts";
import { SECOND_MS } from "#shared/time.ts";
import { useLanguage } from "./use-text.ts";

/** Writes unix seconds as day and time of the reader's place and language. */
export function useTime(style: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }) {
  const language = useLanguage();
  return (seconds: number) => formatTime(seconds * SECOND_MS, language, style);
}
