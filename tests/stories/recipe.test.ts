import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINE } from "../support/databases.ts";
import { Copy, RECIPES, snippetsOf } from "../support/recipe.ts";

/*
 * Every recipe of docs/adding, followed to the letter in one copy of the tree. The tests that the recipes bring along show
 * that what they add works. Beside them goes a kind of game with as many options as a mask can hold, which plays through the
 * whole server too.
 */
const WIDE = `import { diceFromBytes, sumOf } from "#shared/lottery/dice.ts";
import { rateFor } from "#shared/lottery/odds.ts";
import type { Draw, Option, Rules } from "#shared/lottery/rules.ts";

const place = (draw: Draw) => draw.reduce((roll, face) => roll * 6 + face - 1, 0);
const options = Array.from({ length: 63 }, (_, bit): Option => ({
  type: \`o\${bit}\`,
  group: "all",
  color: "#000000",
  name: { key: "option.sum", values: { sum: bit } },
  times: (draw) => Number(place(draw) % 63 === bit || (place(draw) + 1) % 63 === bit),
  most: 1,
}));
export const diceWide: Rules = {
  kind: "dice-wide",
  classKey: "wide",
  dice: 3,
  faces: 6,
  options,
  odds: options.map((option) => rateFor(950, option, 3)),
  drawFrom: (bytes) => diceFromBytes(3, bytes),
  view: (draw) => ({ sum: sumOf(draw), size: null, parity: null }),
};
`;

const WIDE_AGAIN = ` const KINDS: Record<string, { dice: number; times: Times; view: View }> = {
+  "dice-wide": {
+    dice: 3,
+    times(type, [a, b, c]) {
+      const roll = a! * 36 + b! * 6 + c! - 43;
+      return [roll % 63, (roll + 1) % 63].includes(Number(type.slice(1))) ? 1 : 0;
+    },
+    view: () => ({ size: null, parity: null }),
+  },
`;

const VITEST = ["run", "--config", "tests/vitest.config.ts", "--project"];
/** What has nothing to do with the engine is looked at once. */
const isFirst = ENGINE === "sqlite";
const ON_THIS_ENGINE = isFirst ? "together" : "postgres";
const PATIENCE_MS = 900_000;

const snippets = RECIPES.flatMap((recipe) => snippetsOf(recipe));
/** The tests that recipes bring along, those of the app on one engine alone. */
const OWN_TESTS = snippets
  .map(({ about }) => about)
  .filter((path) => /^tests\/.*\.test\.tsx?$/.test(path) && (isFirst || path.startsWith("tests/server/")));

let copy: Copy;
beforeAll(() => {
  copy = new Copy();
  for (const snippet of snippets) copy.apply(snippet);
  addWideKind();
  for (const { exit, said } of [copy.run("vite/bin/vite.js", "build", "client"), generate("notice_pinned")])
    if (exit !== 0) throw new Error(said);
}, PATIENCE_MS);
afterAll(() => copy.remove());

function addWideKind(): void {
  const class_ = { "game.class.wide": "Wide" };
  const tags = readdirSync(join(copy.folder, "locales")).map((file) => file.replace(".json", ""));
  copy.apply({
    language: "json",
    about: "locales",
    text: JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, class_]))),
  });
  copy.apply({ language: "ts", about: "shared/lottery/kinds/dice-wide.ts", text: WIDE });
  copy.apply({
    language: "svg",
    about: "client/public/icons/wide.svg",
    text: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  copy.apply({ language: "diff", about: "tests/support/recompute-kinds.ts", text: WIDE_AGAIN });
  const registry = "shared/lottery/games.ts";
  copy.apply({
    language: "diff",
    about: registry,
    text: ' import { diceSum } from "./kinds/dice-sum.ts";\n+import { diceWide } from "./kinds/dice-wide.ts";\n',
  });
  copy.apply({ language: "diff", about: registry, text: "-dicePair, diceFour];\n+dicePair, diceFour, diceWide];\n" });
}

/** `npm run db:generate -- NAME`, as docs/adding/table.md says. */
const generate = (name: string) => copy.script("db:generate", name);

/** Runs tests there, of which some must be. */
function expectToPass(...words: string[]): void {
  const { exit, said } = copy.run("vitest/vitest.mjs", ...VITEST, ON_THIS_ENGINE, ...words);
  expect([exit, said]).toEqual([0, expect.stringMatching(/Tests +[1-9]\d* passed/)]);
}

describe("what a stranger adds by the words of docs/adding alone", () => {
  if (isFirst)
    it("has the right types", { timeout: PATIENCE_MS }, () => {
      expect(copy.run("typescript/bin/tsc", "-p", ".")).toEqual({ exit: 0, said: "" });
    });

  it("has its migration on both engines", () => {
    for (const engine of ["sqlite", "postgres"]) {
      const files = readdirSync(join(copy.folder, "db/migrations", engine));
      const file = files.find((name) => name.endsWith("_notice_pinned.sql"));
      expect(readFileSync(join(copy.folder, "db/migrations", engine, file!), "utf8")).toMatch(/add .*pinned/i);
    }
  });

  it("works: every recipe's own tests pass", { timeout: PATIENCE_MS }, () => {
    expectToPass(...OWN_TESTS);
  });
});

describe("a stranger's kind of game", () => {
  it("is bet on, drawn, paid, told, exported, verified and audited", { timeout: PATIENCE_MS }, () => {
    const played = ["every-kind", "rounds-poisoned-kinds", "odds-refused"];
    expectToPass(...played.map((name) => `tests/server/lottery/${name}.test.ts`), "-t", "dice-(four|wide)");
  });

  if (isFirst)
    it("has its words, its board and its rules as every kind has", { timeout: PATIENCE_MS }, () => {
      expectToPass("tests/shared/lottery/kinds", "tests/kinds.test.ts", "tests/client/screens/lottery", "-t", "dice-four");
    });
});
