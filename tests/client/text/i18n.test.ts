// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { languageNow, onLanguage, showLanguage, text, textsOf, withTexts } from "#client/text/i18n.ts";
import { writeStored } from "#client/storage/local-storage.ts";

/* How English stands in for what a partial language lacks is shown by the example in docs/adding/language.md. */

it("the first calls ask in the chosen language, before its texts are on the screen", async () => {
  writeStored("viodeLang", "ko_kr");
  expect(languageNow()).toBe("ko_kr");
  // To look at another language's texts changes nothing.
  expect((await textsOf("ja_ja"))("action.confirm")).toBe("確定する");
  expect(languageNow()).toBe("ko_kr");
});

it("a language that is shown is the one of the texts and of the next calls, as soon as anyone hears of it", async () => {
  const seen: string[] = [];
  const stop = onLanguage(() => seen.push(`${languageNow()} ${text("action.cancel")}`));
  await showLanguage("ja_ja");
  stop();
  expect(seen).toEqual(["ja_ja キャンセル"]);
});

it("Home is shown with its own texts, and what is loaded beside it finds all others", async () => {
  await showLanguage("ms_my", { isHome: true });
  const said = () => [text("action.cancel"), text("home.title")];
  expect(said()).toEqual(["action.cancel", "Utama"]);
  expect(await withTexts(async () => said()[1])).toBe("Utama");
  expect(said()).toEqual(["Batal", "Utama"]);
});

it("a language that is shown while another's texts come stays", async () => {
  await showLanguage("th_th", { isHome: true });
  const loaded = withTexts(async () => {});
  await showLanguage("ko_kr");
  await loaded;
  expect([languageNow(), text("action.cancel")]).toEqual(["ko_kr", "취소"]);
});
