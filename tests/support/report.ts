import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** What a run came to. */
export interface RunReport {
  passed: number;
  skipped: number;
  /** Each failure: a test's, a file's that could not be run, or an error that no test waited for. */
  failures: string[];
}

/** A longer message or difference is cut: the run's own output has it whole. */
const MOST_LINES = 30;

/** An error's message and the difference it shows, without colours. A program that ended says why below the first line. */
function summaryOf(error: { message?: string; diff?: string } | undefined): string {
  const linesOf = (text = "") => stripVTControlCharacters(text).split("\n", MOST_LINES);
  return [...linesOf(error?.message), ...linesOf(error?.diff)].filter(Boolean).join("\n  ");
}

/** Writes a run's report to a file, as JSON. */
export class Report implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const report: RunReport = { passed: 0, skipped: 0, failures: [] };
    for (const module of modules) count(module, report);
    report.failures.push(...unhandled.map((error) => `no test's: ${summaryOf(error)}`));
    writeFileSync(this.#file, JSON.stringify(report));
  }
}

function count(module: TestModule, report: RunReport): void {
  const name = `${module.project.name} ${module.relativeModuleId}`;
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    if (state === "passed") report.passed++;
    else if (state === "failed") report.failures.push(`${name} > ${test.fullName}: ${summaryOf(errors[0])}`);
    else report.skipped++;
  }
  const ownErrors = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
  report.failures.push(...ownErrors.map((error) => `${name}: ${summaryOf(error)}`));
}
