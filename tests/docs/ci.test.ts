import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-files.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** What `npm test` holds is chosen from by this one, for the change at hand. */
const PART_OF_TEST = "test:quick";

it("CI runs each command that tests the product, or says that it does not", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const tests = Object.keys(scripts).filter((name) => /^(test:|cheats|honest|torture|attacks|bench)/.test(name));
  const ci = read(".ci/run");
  const isRun = (name: string) => new RegExp(`^pieces=[^)]*\\b${name.replace("test:", "")}/`, "m").test(ci);
  const isNamed = (name: string) => new RegExp(`^ {2}npm run ${name} {2,}\\S`, "m").test(ci);
  expect(tests).toContain("torture");
  expect(tests.filter((name) => name !== PART_OF_TEST && !isRun(name) && !isNamed(name))).toEqual([]);
});
