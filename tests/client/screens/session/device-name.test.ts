import { describe, expect, it } from "vitest";
import type { Text } from "#client/text/i18n.ts";
import { deviceName } from "#client/screens/session/device-name.ts";

const text: Text = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const MOZILLA = "Mozilla/5.0";

describe("a device's readable name", () => {
  it.each([
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1`,
      "Safari iPhone",
    ],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/130.0 Mobile/15E148 Safari/604.1`,
      "Chrome iPhone",
    ],
    [
      `${MOZILLA} (Linux; Android 14; SM-S921B) AppleWebKit/537.36 SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36`,
      "Samsung Internet Android",
    ],
    [
      `${MOZILLA} (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36 KAKAOTALK/10.8`,
      "KakaoTalk Android",
    ],
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0`,
      "Edge Windows",
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15`,
      "Safari macOS",
    ],
    [`${MOZILLA} (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0`, "Firefox Linux"],
  ])("of %s is %s", (agent, words) => {
    expect(deviceName(agent, text)).toBe(`sessions.device ${words}`);
  });

  it("has what is known when a part is missing", () => {
    expect(deviceName("Firefox/131.0", text)).toBe("Firefox");
    expect(deviceName("app (iPad)", text)).toBe("iPad");
  });

  it.each(["", "curl/8.0", "<script>alert(1)</script>"])("of %s is unknown", (agent) => {
    expect(deviceName(agent, text)).toBe("sessions.unknown");
  });
});
