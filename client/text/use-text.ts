import { useSyncExternalStore } from "react";
import { languageNow, onLanguage, text, type Text } from "./i18n.ts";
import type { LocaleCode } from "#shared/locales.ts";

/** The language on the screen. Its components render again when it changes. */
export function useLanguage(): LocaleCode {
  return useSyncExternalStore(onLanguage, languageNow);
}

export function useText(): Text {
  useLanguage();
  return text;
}
