import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readLocaleTexts } from "../support/locale-texts.ts";
import { ROOT } from "../support/source-files.ts";

const page = readFileSync(join(ROOT, "docs/languages.md"), "utf8");
const rows = [...page.matchAll(/^\| (.+?) +\| `(.+?)` +\| (.+?) +\| .+\|$/gm)].map(([, theirs, key, ours]) => ({
  theirs: theirs!,
  key: key!,
  ours: ours!,
}));
const english = readLocaleTexts().get("en")!;

it("the page on languages names the sentences of other clients, and says ours as they are", () => {
  expect(rows.map(({ theirs }) => theirs)).toEqual(
    expect.arrayContaining(["Account offline", "Feature disabled", "The two password inputs are inconsistent"]),
  );
  expect(rows.filter(({ key, ours }) => english.get(key) !== ours)).toEqual([]);
});

it("no text of ours is one of those sentences", () => {
  const theirs = new Set(rows.map((row) => row.theirs.toLowerCase()));
  expect([...english].filter(([, text]) => theirs.has(text.toLowerCase()))).toEqual([]);
});
