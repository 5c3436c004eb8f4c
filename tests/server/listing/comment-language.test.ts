import { expect, it } from "vitest";
import { languageOf } from "#server/domains/listing/comment-language.ts";
import { DEMO_COMMENTERS } from "#db/demo/comments.ts";
import { LOCALES, tagOf, type LocaleCode } from "#shared/locales.ts";

it.each<[string, LocaleCode, string | null]>([
  ["Lovely", "en_us", "en"],
  ["Rất hay", "vn_vn", "vi"],
  ["Lovely host", "vn_vn", null],
  ["Lovely", "ko_kr", null],
  ["설명이 정말 친절해요, thanks", "ko_kr", "ko"],
  ["친절해요", "en_us", null],
  ["撮影は順調でした", "ja_ja", "ja"],
  ["順利", "ja_ja", null],
  ["准时又专业", "zh_cn", "zh-CN"],
  ["撮影は順調でした", "zh_cn", null],
  ["Всё хорошо", "th_th", null],
  ["👍 10/10", "en_us", null],
])("%s, written in an app in %s, is taken for %s", (text, locale, tag) => {
  expect(languageOf(text, locale)).toBe(tag);
});

it("the demo has comments in every language, each in its own", () => {
  expect(new Set(DEMO_COMMENTERS.map(({ locale }) => locale))).toEqual(new Set(LOCALES.map(({ code }) => code)));
  for (const { locale, texts } of DEMO_COMMENTERS)
    expect(texts.map((text) => languageOf(text, locale))).toEqual(texts.map(() => tagOf(locale)));
});
