import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isStory } from "./stories.ts";

/** Other files that take more than ten seconds. A clone that never ran them knows no times, and their size tells nothing. */
const SLOW = new Set([
  "tests/log/tree.test.ts",
  "tests/server/ledger/property.test.ts",
  "tests/server/ledger/seal.test.ts",
]);

/** What a file may take that was never run here. */
export function unknownMs(path: string): number {
  if (isTorture(path)) return 180_000;
  if (isStory(path) || /^tests\/(browser|stories|docs)\//.test(path)) return 30_000;
  return SLOW.has(path) ? 20_000 : 3_000;
}

/** Short forms of `npm run torture`. */
const isTorture = (path: string) => /^tests\/torture\/(short-.*|.*\.(postgres|long))\.test\.ts$/.test(path);

/** What the order of a run depends on. */
interface Ranks<F> {
  groupOf(file: F): number;
  projectOf(file: F): unknown;
  costOf(file: F): number;
}

/**
 * A run's groups one after another, in each the projects one after another, and in each the slowest files first. Vitest
 * ends a worker when the next file is of another project, and the new one loads everything anew. The project whose
 * slowest file is the quickest comes last, so that no long file is left to one core at the end.
 */
export function inOrder<F>(files: readonly F[], { groupOf, projectOf, costOf }: Ranks<F>): F[] {
  const byCost = files.toSorted((a, b) => groupOf(a) - groupOf(b) || costOf(b) - costOf(a));
  return [...Map.groupBy(byCost, projectOf).values()].flat();
}

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { cache, config } = this.ctx;
    return inOrder(await super.sort(files), {
      groupOf: ({ project }) => project.config.sequence.groupOrder,
      projectOf: ({ project }) => project,
      costOf: (file) =>
        cache.getTestSpecificationResult(file)?.duration ?? unknownMs(relative(config.root, file.moduleId)),
    });
  }
}
