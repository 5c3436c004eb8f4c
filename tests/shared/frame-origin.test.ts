import { describe, expect, it } from "vitest";
import { frameOrigin } from "#shared/frame-origin.ts";

describe("the origin that may be framed", () => {
  it.each([
    ["https://help.example.com/chat?id=1#x", "https://help.example.com"],
    ["https://help.example.com:8443/", "https://help.example.com:8443"],
    ["HTTPS://Help.Example.com", "https://help.example.com"],
    ["https://someone:secret@help.example.com/", "https://help.example.com"],
    ["https://bücher.example/", "https://xn--bcher-kva.example"],
  ])("of %s is %s", (address, origin) => {
    expect(frameOrigin(address)).toBe(origin);
  });

  it.each([
    "",
    "help.example.com",
    "http://help.example.com/",
    "//help.example.com/",
    "https://*",
    "https://*.example.com/",
    "https://a;script-src *",
    "https:///",
    "javascript:alert(1)",
    "data:text/html,hi",
    "mailto:help@example.com",
    "tel:+123",
    "*",
    "'unsafe-inline'",
  ])("of %s is none", (address) => {
    expect(frameOrigin(address)).toBe(null);
  });
});
