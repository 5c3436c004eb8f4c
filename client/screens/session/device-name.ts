import type { Text } from "#client/text/i18n.ts";

/** Most browsers also name the browsers they imitate, so the first match wins. */
const BROWSERS = [
  ["KakaoTalk", /KAKAOTALK/i],
  ["Zalo", /\bZalo\b/i],
  ["LINE", /\bLine\//],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Opera", /\b(OPR|OPT|Opera)\//],
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(HeadlessChrome|Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;

const SYSTEMS = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac(intosh| OS X)\b/],
  ["Linux", /\b(Linux|X11)\b/],
] as const;

const nameIn = (names: readonly (readonly [string, RegExp])[], agent: string) =>
  names.find(([, pattern]) => pattern.test(agent))?.[0];

/** A readable device name from a user agent. */
export function deviceName(agent: string, text: Text): string {
  const browser = nameIn(BROWSERS, agent);
  const system = nameIn(SYSTEMS, agent);
  if (browser && system) return text("sessions.device", { browser, system });
  return browser ?? system ?? text("sessions.unknown");
}
