import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(7)} s`;

/** Prints what the slowest files and tests of a run cost. */
export class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      name: `${module.project.name} ${module.relativeModuleId}`,
      ms: module.diagnostic().duration,
    }));
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        name: `${module.relativeModuleId} > ${test.fullName}`,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    );
    print("files", files);
    print("tests", tests);
  }
}

function print(what: string, costs: { name: string; ms: number }[]): void {
  if (costs.length <= SHOWN) return;
  const total = costs.reduce((sum, { ms }) => sum + ms, 0);
  const slowest = costs.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
  const lines = slowest.map(({ name, ms }) => `${seconds(ms)}  ${name}`);
  const title = `The slowest ${SHOWN} of ${costs.length} ${what} (${seconds(total).trim()} in all):`;
  process.stdout.write(`\n${[title, ...lines].join("\n")}\n`);
}
