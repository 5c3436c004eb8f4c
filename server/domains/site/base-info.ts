import type { Deps } from "#server/app/deps.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { LOCALES, localTexts, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { SETTINGS } from "./settings.ts";

/** BaseInfo for a reader: every shown setting, texts in their language. */
export function baseInfo(deps: Pick<Deps, "settings" | "clock" | "text" | "payWays">, locale: LocaleCode): BaseInfo {
  const { settings } = deps;
  const shown = Object.keys(SETTINGS).filter((name) => SETTINGS[name]!.shown);
  const values = shown.map((name) => [name, settings.get(name)] as const);
  const maps = values.filter((one): one is [string, LocalText] => isMap(one[1]));
  const { langs = {}, ...texts } = localTexts<string>(Object.fromEntries(maps), locale);
  const languages = new Set(settings.get<string[]>("lang_data"));
  return {
    ...(Object.fromEntries(values) as BaseInfo),
    ...texts,
    langs,
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

const isMap = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
