import { FALLBACK_LOCALE, tagOf, type Locale } from "#shared/locales.ts";

/** Whose texts a language shows: English stands in for what a partial one lacks. */
export const textTags = ({ tag, share }: Locale): string[] => (share < 1 ? [tag, tagOf(FALLBACK_LOCALE)] : [tag]);
