import type english from "#locales/en.json";
import { OFFLINE_TEXTS } from "#locales/offline-texts.ts";
import { wantedLocale } from "#shared/locales.ts";

/** Its own texts, and the sentences in which the app tells of a finding. */
export type OfflineTexts = (typeof english)["offline"] & {
  finding: (typeof english)["app"]["watch"]["found"];
};

/** A language's texts; English where it has none. The page has no network to fetch them by. */
export const textsOf = (tag: string): OfflineTexts => (OFFLINE_TEXTS[tag] ?? OFFLINE_TEXTS.en) as OfflineTexts;

/** The language that a reader's browser asks for; English where we have none of them. */
export const tagFor = (wanted: readonly string[]): string => wantedLocale(wanted)?.tag ?? "en";
