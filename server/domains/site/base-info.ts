import type { Deps } from "#server/app/deps.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { LOCALES, localText, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { SETTINGS } from "./settings.ts";

/** BaseInfo for a reader: every shown setting, texts in their language. */
export function baseInfo(deps: Pick<Deps, "settings" | "clock" | "text" | "payWays">, locale: LocaleCode): BaseInfo {
  const { settings } = deps;
  const shown = Object.keys(SETTINGS).filter((name) => SETTINGS[name]!.shown);
  const values = shown.map((name) => [name, inLanguage(settings.get(name), locale)]);
  const languages = new Set(settings.get<string[]>("lang_data"));
  return {
    ...(Object.fromEntries(values) as BaseInfo),
    lang_data: LOCALES.filter(({ code }) => languages.has(code)).map(({ code, name }) => ({ code, name })),
    pay_banklist: deps.payWays().map(({ code, least, most, feePercent }) => ({
      code,
      name: deps.text(locale, `channel.${code}`),
      min: toDecimal(least),
      max: toDecimal(most),
      fee_percent: feePercent,
    })),
    server_now_ms: deps.clock.now(),
  };
}

function inLanguage(value: unknown, locale: LocaleCode): unknown {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? localText(value, locale) : value;
}
