import { expect, it } from "vitest";
import { Dictionary } from "#shared/dictionary.ts";

const english = { cup: { days_one: "{{count}} day", days_other: "{{count}} days", won: "{{who}} won {{what}}" } };
const russian = { cup: { days_one: "{{count}} день", days_few: "{{count}} дня", days_other: "{{count}} дней" } };

const texts = new Dictionary("en");
texts.add("en", english);
texts.add("ru", russian);

it("values stand in the places of a text, as they are, and an unknown one is empty", () => {
  expect(texts.text("en", "cup.won", { who: "$& {{what}}", what: 3 })).toBe("$& {{what}} won 3");
  expect(texts.text("en", "cup.won", { who: "Mia" })).toBe("Mia won ");
});

it("a count chooses the plural form of its language, or the last one where that is missing", () => {
  expect([1, 2, 5, 21, 1.5].map((count) => texts.text("ru", "cup.days", { count }))).toEqual([
    "1 день",
    "2 дня",
    "5 дней",
    "21 день",
    "1.5 дней",
  ]);
});

it("what a language lacks is English, by English plurals, and what nobody has is its key", () => {
  expect(texts.text("ru", "cup.won", { who: "Mia", what: "it" })).toBe("Mia won it");
  expect(texts.text("ko", "cup.days", { count: 1 })).toBe("1 day");
  expect(
    ["cup.lost", "cup", "cup.won.more", "toString", "constructor.name"].map((key) => texts.text("ru", key)),
  ).toEqual(["cup.lost", "cup", "cup.won.more", "toString", "constructor.name"]);
});
