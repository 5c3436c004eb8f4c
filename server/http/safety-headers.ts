/** What no page of ours uses. Passkeys, full screen and playing are not among them. */
const NEVER_USED = [
  "accelerometer",
  "bluetooth",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "serial",
  "usb",
];

const TWO_YEARS_S = 63_072_000;

/** Headers of every answer: pages, calls, files and refusals. */
export const safetyHeaders = (publicUrl: string): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "permissions-policy": NEVER_USED.map((feature) => `${feature}=()`).join(", "),
  ...(publicUrl.startsWith("https:") && { "strict-transport-security": `max-age=${TWO_YEARS_S}` }),
});
