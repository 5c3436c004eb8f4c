import { languageNow, onLanguage, text } from "#client/text/i18n.ts";
import { tagOf } from "#shared/locales.ts";

/** Keeps the page's description and its manifest, which names the shortcuts of the installed app, in the language on the screen. */
export function watchHead(): void {
  showHead();
  onLanguage(showHead);
}

function showHead(): void {
  document.querySelector('meta[name="description"]')?.setAttribute("content", text("home.introMoney"));
  // The build makes one for each language.
  if (import.meta.env.PROD)
    document
      .querySelector('link[rel="manifest"]')
      ?.setAttribute("href", `/manifest.${tagOf(languageNow())}.webmanifest`);
}
