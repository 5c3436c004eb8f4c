import { describe, expect, it } from "vitest";
import { formatMoney, formatSpan, formatTime } from "#shared/format.ts";
import { LOCALES } from "#shared/locales.ts";

const decimals = (text: string) => /[.,](\d{2})(?!\d)/.exec(text)?.[1];

describe("a formatted amount", () => {
  it.each(["point", "EUR", "USD"])("has two decimals in %s, in every language", (unit) => {
    for (const { code } of LOCALES) expect([code, decimals(formatMoney(123_456, unit, code))]).toEqual([code, "56"]);
  });

  it.each(["KRW", "JPY", "VND", "ISK"])("has none in %s, in any language", (unit) => {
    for (const { code } of LOCALES) {
      const text = formatMoney(123_400, unit, code);
      expect([text, decimals(text)]).toEqual([text, undefined]);
      expect(text.replaceAll(/\D/g, "")).toBe("1234");
    }
  });

  it("has the sign of its currency", () => {
    expect(formatMoney(123_400, "KRW", "en_us")).toBe("₩1,234");
    expect(formatMoney(-123_456, "EUR", "en_us")).toBe("-€1,234.56");
    expect(formatMoney(123_456, "point", "en_us")).toBe("1,234.56");
  });

  it("of whole points has no decimals, and of parts two", () => {
    const shown = [123_400, 123_450, -500, 0].map((amount) => formatMoney(amount, "point", "en_us"));
    expect(shown).toEqual(["1,234", "1,234.50", "-5", "0"]);
    expect(formatMoney(123_400, "EUR", "en_us")).toBe("€1,234.00");
  });
});

describe("a time", () => {
  const midnight = Date.UTC(2026, 2, 3);
  const STYLES: Intl.DateTimeFormatOptions[] = [
    { timeStyle: "short" },
    { dateStyle: "medium", timeStyle: "short" },
    { dateStyle: "long", timeStyle: "short" },
  ];

  it("is written by one clock in Spanish: midnight is 00:00", () => {
    for (const style of STYLES)
      expect(formatTime(midnight, "es_spa", { ...style, timeZone: "UTC" })).toMatch(/(?:^|\D)00:00$/);
  });

  it("is as its language writes it in the others", () => {
    for (const [code, written] of [
      ["en_us", "12:00 AM"],
      ["ko_kr", "오전 12:00"],
      ["ru_ru", "00:00"],
    ] as const)
      expect(formatTime(midnight, code, { timeStyle: "short", timeZone: "UTC" })).toBe(written);
  });

  it("keeps the Russian word for a year beside its figure", () => {
    for (const [style, written] of [
      [{ dateStyle: "long" }, "3 марта 2026\u00A0г."],
      [{ dateStyle: "medium", timeStyle: "short" }, "3 мар. 2026\u00A0г., 00:00"],
    ] as const)
      expect(formatTime(midnight, "ru_ru", { ...style, timeZone: "UTC" })).toBe(written);
  });
});

describe("a number of minutes", () => {
  it.each([
    ["ja_ja", "5分"],
    ["zh_cn", "5 分钟"],
    ["ko_kr", "5분"],
    ["en_us", "5 minutes"],
    ["th_th", "5 นาที"],
  ] as const)("is written in %s as %s", (language, written) => {
    expect(formatSpan(5, "minute", language)).toBe(written);
  });
});
