import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { DOMAINS, filesOf } from "./mutants/domains.ts";
import { likeliest } from "./mutants/likely.ts";
import { mutantsOf } from "./mutants/mutants.ts";
import { beginTest, probe, probesAt, withProbes } from "./mutants/probes.ts";
import { ROOT } from "./support/source-files.ts";
import { tableOf, overExplained, type Score } from "./mutants/score.ts";

/** What becomes of a line, by the operator. */
const changed = (line: string) => mutantsOf("a.ts", line).map(({ id, now }) => [id.split(":").at(-1), now]);

describe("a mutant of the code", () => {
  it("moves a comparison's border, and turns it round", () => {
    expect(changed("a < b;")).toEqual([
      ["<=", "a <= b;"],
      [">=", "a >= b;"],
    ]);
    expect(changed("a === b;")).toEqual([["!==", "a !== b;"]]);
  });

  it("changes sums, conditions, defaults, small numbers and what is returned or done", () => {
    expect(changed("a + b * 2;").map(([operator]) => operator)).toEqual(["-", "/", "+1", "-1"]);
    expect(changed("if (a && b) f();").map(([, now]) => now)).toEqual([
      "if (!(a && b)) f();",
      "if (a || b) f();",
      "if (a && b) ;",
    ]);
    expect(changed("a ?? b;")).toEqual([["no-??", "(a);"]]);
    expect(changed("function f() { return false; }")).toEqual([["boolean", "function f() { return true; }"]]);
    expect(changed("const f = () => a;")).toEqual([["no-return", "const f = () => undefined;"]]);
    expect(changed("function f() { throw a; }")).toEqual([["no-throw", "function f() { ; }"]]);
  });

  it("takes away each of drizzle's conditions, and asks for the opposite", () => {
    expect(
      changed("d = and(lte(a, b), c);")
        .slice(1)
        .map(([, now]) => now),
    ).toEqual([
      "d = mutantOr(lte(a, b), c);",
      "d = and(mutantLt(a, b), c);",
      "d = and(undefined, c);",
      "d = and(lte(a, b), undefined);",
    ]);
  });

  it("leaves types, imports and an error's words alone", () => {
    expect(changed('import a from "b"; type C = 1 | 2; new RangeError(`${a} < 1`);')).toEqual([]);
  });

  it("has a name of its own, even twice in a line", () => {
    expect(mutantsOf("a.ts", "a < b;\na < b < c;").map(({ id }) => id)).toEqual([
      "a.ts:1:<=",
      "a.ts:1:>=",
      "a.ts:2:<=",
      "a.ts:2:>=",
      "a.ts:2:<=#2",
      "a.ts:2:>=#2",
    ]);
  });
});

describe("a mutant of SQL", () => {
  it("moves a guard's border, loses it, or lets one condition do", () => {
    expect(changed("sql`${w} >= ${a + 1} and not ${f}`;").filter(([name]) => name!.startsWith("sql"))).toEqual([
      ["sql->", "sql`${w} > ${a + 1} and not ${f}`;"],
      ["sql-no-condition", "sql`${w} >= ${a + 1}`;"],
      ["sql-or", "sql`${w} >= ${a + 1} or not ${f}`;"],
      ["sql-no-not", "sql`${w} >= ${a + 1} and ${f}`;"],
    ]);
  });

  it("turns what is compared, not what is set", () => {
    const line = 'const d = "update a set b = b + 1 where c = ?";';
    expect(changed(line)).toEqual([
      ["sql-minus", 'const d = "update a set b = b - 1 where c = ?";'],
      ["sql-<>", 'const d = "update a set b = b + 1 where c <> ?";'],
    ]);
  });

  it("is not made of other words", () => {
    for (const words of ["it does not end", "This note is not signed, or not of this bet."])
      expect(changed(`say("${words}");`)).toEqual([["no-call", ";"]]);
  });
});

describe("a probe", () => {
  it("stands before each statement, around an arrow function's value and in each branch, and a change knows its own", () => {
    const text = "const f = (a) => a + 1; function g() { if (a) return 2; else for (;;) h(3); }";
    const probed = withProbes("server/a.ts", text);
    expect(probed).toContain('const f = (a) => (mutantProbe("server/a.ts:17"), a + 1);');
    expect(probed).toContain(
      '{ mutantProbe("server/a.ts:39"); if (a) {mutantProbe("server/a.ts:46"); return 2;} ' +
        'else {mutantProbe("server/a.ts:61"); for (;;) {mutantProbe("server/a.ts:70"); h(3);}} }',
    );
    expect(probed).toContain('from "../tests/mutants/probes.ts";');
    const at = probesAt("server/a.ts", text);
    expect([at(21, 22), at(43, 44), at(53, 54), at(72, 73), at(0, 5)]).toEqual([[17], [39], [46], [70], [-1]]);
  });

  it("reports once for each test what ran, and outside of tests for none in particular", () => {
    const folder = mkdtempSync(join(tmpdir(), "trio-probes-"));
    vi.stubEnv("MUTANT_PROBES", join(folder, "report"));
    vi.stubEnv("MUTANT_TEST", "");
    probe("a.ts:1");
    beginTest("one");
    for (const name of ["a.ts:1", "a.ts:2", "a.ts:1"]) probe(name);
    beginTest("two");
    probe("a.ts:1");
    beginTest("");
    const lines = readFileSync(join(folder, "report"), "utf8").trimEnd();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
    expect(lines.split("\n")).toEqual(["\ta.ts:1", "one\ta.ts:1", "one\ta.ts:2", "two\ta.ts:1"]);
  });

  it("of a constant stands where it is read, unless the file exports it or reads it as it is imported", () => {
    const text = `const a = 1;
const b = { c: a + 2 };
type D = typeof a;
const f = () => b;
function g() { return a; }
export const e = 3;
const h = 4;
f(h);`;
    const at = probesAt("server/a.ts", text);
    const of = (value: string) => at(text.indexOf(value), text.indexOf(value) + 1);
    const [inF, inG] = [text.indexOf("b;\nfunction"), text.indexOf("return a")];
    expect([of("1"), of("2"), of("3"), of("4")]).toEqual([[inF, inG], [inF], [-1], [-1]]);
  });

  it("of what a call makes once stands where that is read, too", () => {
    const text = `const made = once(() => first + part());
const own = () => second;
function part() { return third; }
function other() { return fourth; }
const f = () => made;
const g = () => own + other();`;
    const at = probesAt("server/a.ts", text);
    const of = (value: string) => at(text.indexOf(value), text.indexOf(value) + value.length);
    const [built, read] = [text.indexOf("first"), text.indexOf("made;")];
    expect(of("first")).toEqual([built, read]);
    expect(of("second")).toEqual([text.indexOf("second")]);
    expect(of("third")).toEqual([built, text.indexOf("return third"), read]);
    expect(of("fourth")).toEqual([text.indexOf("return fourth")]);
  });

  it("tells which tests are likely to notice a change: those that run what few others run, close to it", () => {
    const all = ["many", "rare", "far", "slow"];
    const costs = { many: 5, rare: 5, far: 5, slow: 5_000 };
    const ran = { "s.ts:10": all, "s.ts:20": ["rare", "slow"], "s.ts:9000": ["far"], "other.ts:10": ["many"] };
    const coverage = new Map([
      ["a.test.ts", { costs, ran }],
      ["b.test.ts", { costs: { b: 5 }, ran: { "s.ts:10": ["b"] } }],
      ["c.test.ts", { costs: {}, ran: { "s.ts:10": [""] } }],
    ]);
    const wanted = [{ file: "a.test.ts", tests: all }, { file: "b.test.ts", tests: ["b"] }, { file: "c.test.ts" }];
    expect(likeliest(coverage, wanted, { source: "s.ts", probes: ["s.ts:10"] })).toEqual([
      { file: "a.test.ts", tests: ["rare", "far", "many", "slow"] },
      { file: "b.test.ts", tests: ["b"] },
    ]);
    // A file that is tried as a whole may have likely tests, too.
    expect(likeliest(coverage, [{ file: "b.test.ts" }], { source: "s.ts", probes: ["s.ts:10"] })).toEqual([wanted[1]]);
    expect(likeliest(coverage, [{ file: "c.test.ts" }], { source: "s.ts", probes: ["s.ts:10"] })).toEqual([]);
  });
});

describe("a domain", () => {
  it.each(DOMAINS)("$name has sources and tests", ({ sources, tests }) => {
    expect(sources).not.toEqual([]);
    expect(tests).not.toEqual([]);
  });

  it("names no file that is not there, in any of its alternatives", () => {
    expect(filesOf("shared/{money,wheel}.ts")).toEqual(["shared/money.ts", "shared/wheel.ts"]);
    expect(() => filesOf("shared/{money,gone}.ts")).toThrow("no file is named shared/gone.ts");
  });
});

describe("the score of a domain", () => {
  const WHEEL = { domain: "wheel", mutants: 100, explained: 5, killed: 18, hung: 1, survived: 2, excused: 1 };
  const LEDGER = { domain: "ledger", mutants: 40, explained: 3, killed: 40, hung: 0, survived: 0, excused: 0 };

  it("is the share of the killed among all that can be noticed, beside all counts and their sum", () => {
    const rows = tableOf([WHEEL, LEDGER]).split("\n");
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ["domain", "tried", "killed (hung)", "survived", "excused", "score", "explained of all"],
      ["wheel", "21 of 100", "18 (1)", "2", "1", "90.0 %", "5, 5.0 %"],
      ["ledger", "40 of 40", "40 (0)", "0", "0", "100.0 %", "3, 7.5 %"],
      ["all", "61 of 140", "58 (1)", "2", "1", "96.7 %", "8, 5.7 %"],
    ]);
  });

  it("may have a twentieth explained, and no more", () => {
    const named = (scores: Score[]) => overExplained(scores).map(({ domain }) => domain);
    expect(named([WHEEL, LEDGER])).toEqual(["ledger"]);
    expect(named([{ ...WHEEL, explained: 6 }])).toEqual(["wheel"]);
  });
});

it("the contributor's page names every domain, and no other", () => {
  const page = readFileSync(join(ROOT, "docs/testing.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(DOMAINS.map(({ name }) => name));
});
