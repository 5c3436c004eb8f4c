// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { languageNow, onLanguage, showLanguage, text, textsOf } from "#client/text/i18n.ts";
import { writeStored } from "#client/storage/local-storage.ts";

/* How English stands in for what a partial language lacks is shown by the example in docs/adding/language.md. */

it("the first calls ask in the chosen language, before its texts are on the screen", async () => {
  writeStored("viodeLang", "ko_kr");
  expect(languageNow()).toBe("ko_kr");
  // To look at another language's texts changes nothing.
  expect((await textsOf("ja_ja"))("action.cancel")).toBe("キャンセル");
  expect(languageNow()).toBe("ko_kr");
});

it("a language that is shown is the one of the texts and of the next calls, as soon as anyone hears of it", async () => {
  const seen: string[] = [];
  const stop = onLanguage(() => seen.push(`${languageNow()} ${text("action.cancel")}`));
  await showLanguage("ja_ja");
  stop();
  expect(seen).toEqual(["ja_ja キャンセル"]);
});
