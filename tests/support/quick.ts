import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { unknownMs } from "./order.ts";

/** What the chosen files may take together: half a minute on two cores, beside what starting costs. */
export const BUDGET_MS = 60_000;

interface Cost {
  isChanged: boolean;
  ms: number;
}

/** Changed files first, then the quickest, as many as the budget holds; and those that it does not. */
export function inTime<F extends Cost>(files: readonly F[], budgetMs: number): { chosen: F[]; left: F[] } {
  const sorted = files.toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged) || a.ms - b.ms);
  let spent = 0;
  const { chosen = [], left = [] } = Object.groupBy(sorted, ({ ms }) => {
    if (spent + ms > budgetMs) return "left";
    spent += ms;
    return "chosen";
  });
  return { chosen, left };
}

/** The order of `npm run test:quick`. Names what it leaves out. */
export class Quick extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const status = execFileSync("git", ["status", "--porcelain", "-z"], { cwd: root }).toString();
    const changed = new Set(status.split("\0").map((entry) => entry.replace(/^.. /, "")));
    const costs = files.map((file) => {
      const path = relative(root, file.moduleId);
      const ms = this.ctx.cache.getTestSpecificationResult(file)?.duration ?? unknownMs(path);
      return { file, path, ms, isChanged: changed.has(path) };
    });
    const { chosen, left } = inTime(costs, BUDGET_MS);
    if (left.length) process.stdout.write(`Left out, for want of time: ${left.map(({ path }) => path).join(" ")}\n`);
    return chosen.map(({ file }) => file);
  }
}
