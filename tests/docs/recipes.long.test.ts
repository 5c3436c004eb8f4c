import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALES } from "#shared/locales.ts";
import { canStart } from "../support/postgres-server.ts";
import { commandsOf } from "../support/pages.ts";
import { Copy, RECIPES, snippetsOf, type Ran } from "../support/recipe.ts";
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

const WIDE_WORDS: Record<string, string> = {
  en: "Wide",
  vi: "Rộng",
  ko: "넓은 판",
  ja: "ワイド",
  "zh-CN": "宽盘",
  "zh-TW": "寬盤",
  "es-419": "Ancho",
  ms: "Lebar",
  th: "กว้าง",
  ru: "Широкий",
};

const VITEST = ["vitest/vitest.mjs", "run", "--config", "tests/vitest.config.ts", "--project", "together"] as const;
const PASSED = { exit: 0, output: expect.stringMatching(/Tests +[1-9]\d* passed/) as string };
const PATIENCE_MS = 900_000;

const snippets = RECIPES.flatMap((recipe) => snippetsOf(recipe));
/** The recipes' own tests. */
const OWN_TESTS = snippets.map(({ about }) => about).filter((path) => /^tests\/.*\.test\.tsx?$/.test(path));
/** Tests of the whole tree that an addition can leave red. */
const RULES = ["glossary", "locales", "architecture-operators", "docs/pages", "docs/made"].map(
  (name) => `tests/${name}.test.ts`,
);

let copy: Copy;
/** Runs beside the tests, which leave a core free now and then. */
let linted: Promise<Ran>;
beforeAll(async () => {
  copy = new Copy();
  for (const snippet of snippets) copy.apply(snippet);
  addWideKind();
  // Texts and rows are added without regard to the line's or the column's width.
  await copy.run("oxfmt/bin/oxfmt", "locales", "docs");
  linted = copy.run("oxlint/bin/oxlint", "--type-aware", "--type-check", "--deny-warnings");
  const steps = [
    () => copy.run("vite/bin/vite.js", "build", "client"),
    () => generate("notice_pinned"),
    ...commandsOf("docs/adding/command.md").map((command) => () => runVitest(command)),
  ];
  for (const step of steps) {
    const { exit, output } = await step();
    if (exit !== 0) throw new Error(output);
  }
}, PATIENCE_MS);
afterAll(async () => {
  await linted;
  copy.remove();
});

function addWideKind(): void {
  const words = LOCALES.map(({ tag }) => [tag, { "game.class.wide": WIDE_WORDS[tag] }]);
  copy.apply({ language: "json", about: "locales", text: JSON.stringify(Object.fromEntries(words)) });
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

/** `npx vitest run …`, as a page says. */
function runVitest(command: string) {
  const [, words] = /^npx vitest (run .*)\n$/.exec(command)!;
  return copy.run("vitest/vitest.mjs", ...words!.split(" "));
}

describe("a stranger's additions, by the words of docs/adding alone,", () => {
  it("are formatted, and lack no migration", { timeout: PATIENCE_MS }, async () => {
    const ran = [await copy.run("oxfmt/bin/oxfmt", "--check", "."), await copy.script("db:check")];
    expect(ran.filter(({ exit }) => exit !== 0)).toEqual([]);
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
    const { given, output } = await terminal.give(pages.flatMap(commandsOf).join(""));
    terminal.close();
    expect([given.map(({ exit }) => exit), output]).toEqual([
      [0, 0],
      expect.stringContaining("open_recharges is 3 now."),
    ]);
  });

  it(
    "work and leave the tree green: their own tests pass, and the tree's rules",
    { timeout: PATIENCE_MS },
    async () => {
      expect(await copy.run(...VITEST, ...OWN_TESTS, ...RULES)).toEqual(PASSED);
    },
  );

  it.runIf(canStart())("work on PostgreSQL too", { timeout: PATIENCE_MS }, async () => {
    const ofServer = OWN_TESTS.filter((path) => path.startsWith("tests/server/"));
    expect(await copy.script("test:postgres", ...ofServer)).toEqual(PASSED);
  });

  it("have the right types, and pass the lint", { timeout: PATIENCE_MS }, async () => {
    const { exit, output } = await linted;
    expect([exit, output]).toEqual([0, expect.stringContaining("Found 0 warnings and 0 errors.")]);
  });
});

/** The tests of every kind: what members do with it, and its texts, its board and its rules. */
const OF_KINDS = [
  ...["every-kind", "rounds-poisoned-kinds", "odds-refused"].map((name) => `tests/server/lottery/${name}.test.ts`),
  "tests/shared/lottery/kinds",
  "tests/kinds.test.ts",
  "tests/client/screens/lottery",
];

const OF_THESE = "dice-four|(game|round|odds) of dice-wide";

describe("a stranger's kind of game", () => {
  it(
    "is bet on, drawn, paid, shown, exported, verified and audited, as every kind is",
    { timeout: PATIENCE_MS },
    async () => {
      expect(await copy.run(...VITEST, ...OF_KINDS, "-t", OF_THESE)).toEqual(PASSED);
    },
  );

  it.runIf(canStart())("is played on PostgreSQL too", { timeout: PATIENCE_MS }, async () => {
    const ofServer = OF_KINDS.filter((path) => path.startsWith("tests/server/"));
    expect(await copy.script("test:postgres", ...ofServer, "-t", OF_THESE)).toEqual(PASSED);
  });
});
