import { expect, it } from "vitest";
import { translator } from "#locales/translate.ts";

const texts = {
  hello: "Hello, {{name}}: {{name}}!",
  days_one: "{{count}} day",
  days_other: "{{count}} days",
  left_zero: "None left",
  left_other: "{{count}} left",
  plain: "Score {{count}}",
};
const english = { tag: "en", texts };
const russian = { tag: "ru", texts: { days_few: "{{count}} дня", days_other: "{{count}} дней", own: { key: "Да" } } };
const text = translator([russian, english]);

it.each([
  [1, "1 дней"],
  [2, "2 дня"],
  [5, "5 дней"],
])("%i days are in the plural form of their number, else in the language's own other form", (count, said) => {
  expect(text("days", { count })).toBe(said);
});

it("none at all may be said in a way of its own; what has no forms is one text", () => {
  expect([0, 1, 2].map((count) => text("left", { count }))).toEqual(["None left", "1 left", "2 left"]);
  expect(text("plain", { count: 3 })).toBe("Score 3");
});

it("values stand as they are, wherever they are named; one that is not given is empty", () => {
  expect(text("hello", { name: "{{name}} $& <b>" })).toBe("Hello, {{name}} $& <b>: {{name}} $& <b>!");
  expect(text("hello")).toBe("Hello, : !");
});

it("in Chinese a space stands between figures and characters, and none between two characters", () => {
  const chinese = translator([{ tag: "zh-CN", texts: { range: "{{min}} 至 {{max}} 之间", of: "对 {{name}} 的" } }]);
  expect(chinese("range", { min: "100 积分", max: "200 积分" })).toBe("100 积分至 200 积分之间");
  expect(chinese("range", { min: "¥100", max: "¥200" })).toBe("¥100 至 ¥200 之间");
  expect([chinese("of", { name: "岘港" }), chinese("of", { name: "Bangkok" })]).toEqual(["对岘港的", "对 Bangkok 的"]);
});

it("what the first language lacks is said in the next, and what none has is the key", () => {
  expect([text("own.key"), text("own.other"), text("own"), text("own.key.more")]).toEqual([
    "Да",
    "own.other",
    "own",
    "own.key.more",
  ]);
});
