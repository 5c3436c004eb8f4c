import { beforeAll, expect, it } from "vitest";
import { FILES } from "#locales/languages.ts";
import { loadTexts, textsOf, type Texts } from "#server/app/texts.ts";
import { amountText } from "#server/domains/ledger/unit.ts";
import type { LocaleCode } from "#shared/locales.ts";

let text: Texts;
beforeAll(() => {
  const few = ({ done, app }: { done: string; app: { plan: Record<string, string> } }) => ({
    done,
    app: { plan: { days_one: app.plan["days_other"]! } },
  });
  const files = FILES.map((file) => (file.tag === "ko" ? { ...file, texts: few(file.texts as never) } : file));
  text = textsOf(files);
});

it("a text is read in its language", () => {
  expect([text("ko_kr", "done"), text("vn_vn", "done")]).toEqual(["완료되었습니다", "Hoàn tất"]);
});

it("a text that a language lacks is read in English, with its values", () => {
  expect(text("ko_kr", "refusal.object.unknown")).toBe(text("en_us", "refusal.object.unknown"));
  expect(text("ko_kr", "unit.points", { amount: "5", count: 5 })).toBe(
    text("en_us", "unit.points", { amount: "5", count: 5 }),
  );
});

it("a plural form that a language lacks is read in English", () => {
  // Korean has one form, _other, which this copy lacks.
  expect([1, 30].map((count) => text("ko_kr", "app.plan.days", { count }))).toEqual(["1 day", "30 days"]);
});

it("an amount names its points in the plural of its language, and a currency by its sign", () => {
  const own = loadTexts();
  const named = (amount: number, locale: LocaleCode, unit = "point") => amountText(own, amount, unit, locale);
  const russian = [100, 200, 500, 150].map((amount) => named(amount, "ru_ru"));
  expect(russian).toEqual(["1 балл", "2 балла", "5 баллов", "1,50 балла"]);
  expect([100, 200].map((amount) => named(amount, "es_spa"))).toEqual(["1 punto", "2 puntos"]);
  expect(named(100_000_000, "es_spa")).toBe("1,000,000 de puntos");
  expect([named(123_400, "ko_kr"), named(123_400, "en_us", "USD")]).toEqual(["1,234포인트", "$1,234.00"]);
});
