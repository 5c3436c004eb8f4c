import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { unknownMs } from "./order.ts";

/** What the chosen files may take together: half a minute on two cores, beside what starting costs. */
const BUDGET_MS = 60_000;

/**
 * The order of `npm run test:quick`: changed tests first, then the quickest, for as long as the budget lasts. Names
 * what it leaves out.
 */
export class Quick extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const changed = new Set(
      execFileSync("git", ["status", "--porcelain", "-z"], { cwd: root })
        .toString()
        .split(/\0|^.. /m),
    );
    const costs = files.map((file) => {
      const path = relative(root, file.moduleId);
      const ms = this.ctx.cache.getTestSpecificationResult(file)?.duration ?? unknownMs(path);
      return { file, path, ms: changed.has(path) ? 0 : ms };
    });
    costs.sort((a, b) => a.ms - b.ms);
    let spent = 0;
    const isWithin = ({ ms }: { ms: number }) => (spent += ms) <= BUDGET_MS;
    const chosen = costs.filter(isWithin);
    const left = costs.slice(chosen.length).map(({ path }) => path);
    if (left.length) process.stdout.write(`Left out, for want of time: ${left.join(" ")}\n`);
    return chosen.map(({ file }) => file);
  }
}
