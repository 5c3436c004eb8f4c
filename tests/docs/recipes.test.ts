import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALES } from "#shared/locales.ts";
import { canStart } from "../support/postgres-server.ts";
import { commandsOf } from "../support/pages.ts";
import { Copy, RECIPES, snippetsOf } from "../support/recipe.ts";
import { Terminal } from "../support/terminal.ts";

/* Every recipe of docs/adding, followed to the letter in one copy of the tree. The recipes' own tests show that what they add works. Beside them goes a kind of game with as many options as a mask can hold, which is played on the whole server too. */
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

/** Server code runs on both engines. */
const PROJECTS = ["together", ...(canStart() ? ["postgres"] : [])].flatMap((name) => ["--project", name]);
const VITEST = ["vitest/vitest.mjs", "run", "--config", "tests/vitest.config.ts", ...PROJECTS] as const;
const PASSED = { exit: 0, said: expect.stringMatching(/Tests +[1-9]\d* passed/) as string };
const PATIENCE_MS = 900_000;

const snippets = RECIPES.flatMap((recipe) => snippetsOf(recipe));
/** The recipes' own tests. */
const OWN_TESTS = snippets.map(({ about }) => about).filter((path) => /^tests\/.*\.test\.tsx?$/.test(path));

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
  copy.apply({
    language: "json",
    about: "locales",
    text: JSON.stringify(Object.fromEntries(LOCALES.map(({ tag }) => [tag, class_]))),
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

describe("a stranger's additions, by the words of docs/adding alone,", () => {
  it("have the right types", { timeout: PATIENCE_MS }, () => {
    expect(copy.run("typescript/bin/tsc", "-p", ".")).toEqual({ exit: 0, said: "" });
  });

  it("have their migration on both engines", () => {
    for (const engine of ["sqlite", "postgres"]) {
      const files = readdirSync(join(copy.folder, "db/migrations", engine));
      const file = files.find((name) => name.endsWith("_notice_pinned.sql"));
      expect(readFileSync(join(copy.folder, "db/migrations", engine, file!), "utf8")).toMatch(/add .*pinned/i);
    }
  });

  it("are used with the commands of their page", { timeout: PATIENCE_MS }, async () => {
    const terminal = new Terminal(copy.folder);
    const pages = ["docs/adding/setting.md", "docs/adding/kind-of-game.md"];
    const { given, said } = await terminal.give(pages.flatMap(commandsOf).join(""));
    terminal.close();
    expect([given.map(({ exit }) => exit), said]).toEqual([
      [0, 0],
      expect.stringContaining("open_recharges is 3 now."),
    ]);
  });

  it("work: every recipe's own tests pass", { timeout: PATIENCE_MS }, () => {
    expect(copy.run(...VITEST, ...OWN_TESTS)).toEqual(PASSED);
  });
});

describe("a stranger's kind of game", () => {
  it("is bet on, drawn, paid, shown, exported, verified and audited", { timeout: PATIENCE_MS }, () => {
    const played = ["every-kind", "rounds-poisoned-kinds", "odds-refused"].map(
      (name) => `tests/server/lottery/${name}.test.ts`,
    );
    expect(copy.run(...VITEST, ...played, "-t", "dice-(four|wide)")).toEqual(PASSED);
  });

  it("has its texts, its board and its rules as every kind has", { timeout: PATIENCE_MS }, () => {
    const rules = ["tests/shared/lottery/kinds", "tests/kinds.test.ts", "tests/client/screens/lottery"];
    expect(copy.run(...VITEST, ...rules, "-t", "dice-four")).toEqual(PASSED);
  });
});
