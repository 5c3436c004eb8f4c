import { expect, it } from "vitest";
import { isolateFigures } from "#client/text/isolate.ts";

const shown = (text: string) => isolateFigures(text).replaceAll("\u2066", "⟦").replaceAll("\u2069", "⟧");

it.each([
  ["×1.95", "⟦×1.95⟧"],
  ["תשלום ×1,234.5 לכל", "תשלום ⟦×1,234.5⟧ לכל"],
  ["11–18", "⟦11–18⟧"],
  ["1 / 3", "⟦1 / 3⟧"],
  ["75 → 4", "⟦75 → 4⟧"],
  ["3 = 3", "⟦3 = 3⟧"],
  ["1 + 2 + 6 = 9", "⟦1 + 2 + 6 = 9⟧"],
  ["-5, 12.5%", "⟦-5⟧, ⟦12.5%⟧"],
])("%s keeps its order where the language runs from right to left", (text, isolated) => {
  expect(shown(text)).toBe(isolated);
});

it.each(["שלום", "12", "a-z"])("%s needs nothing", (text) => expect(isolateFigures(text)).toBe(text));
