import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/source-files.ts";
import type { Domain } from "./domains.ts";
import { Hunt } from "./hunt.ts";
import { probesAt } from "./probes.ts";
import { Results } from "./results.ts";
import { HUNG } from "./runs.ts";
import { copyTree } from "./tree.ts";

/*
 * Plants changes and says what became of each, a line of JSON a change. A program, because Vitest runs no second Vitest.
 */
process.setMaxListeners(0);
const copy = copyTree();
const results = new Results(join(copy, "results.jsonl"));

async function plant(file: string, test: string, was: string, changes: readonly string[]): Promise<void> {
  const domain: Domain = { name: "planted", project: "together", sources: [file], tests: [test] };
  const hunt = new Hunt(domain, copy, results);
  await hunt.learn();
  const text = readFileSync(join(ROOT, file), "utf8");
  const start = text.indexOf(was);
  const end = start + was.length;
  const probes = probesAt(file, text)(start, end).map((probe) => `${file}:${probe}`);
  const mutantOf = (now: string) => {
    const changed = text.replace(was, () => now);
    return { id: now, file, line: 0, start, end, was, now, text: changed, probes };
  };
  for await (const [{ now }, killer] of hunt.hunt(changes.map(mutantOf))) {
    const became = killer ? (killer.name === HUNG ? "hung" : "killed") : "survived";
    const isGone = readFileSync(join(copy, file), "utf8") === text;
    process.stdout.write(`${JSON.stringify({ now, became, isGone })}\n`);
  }
  await hunt.close();
}

await plant("shared/wheel.ts", "tests/shared/wheel.test.ts", "String(amount);", [
  "String((amount));",
  "String(amount + 1);",
  "(() => { for (;;); })();",
  "String(((amount)));",
  // It stays in the process: nothing after it could pass.
  '((JSON.stringify = () => "x"), String(amount));',
  "String((((amount))));",
]);
await plant(
  "server/domains/lottery/bet-book.sqlite.ts",
  "tests/server/lottery/place-bet.test.ts",
  "select frozen, excluded_until",
  ["select  frozen, excluded_until", "select thawed, excluded_until", "select   frozen, excluded_until"],
);
process.exit(0);
