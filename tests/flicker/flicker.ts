import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { spawnBound } from "../support/spawn-bound.ts";
import type { RunReport } from "../support/report.ts";

/** One run of the tests: what failed in it, and what it took. */
export interface Run {
  failures: string[];
  minutes: number;
}

export interface FlickerPlan {
  runs: number;
  /** What runs the tests, and writes its report to TEST_REPORT. */
  command: readonly [string, ...string[]];
  say: (line: string) => void;
}

/** Keeps every core busy until it is disposed, or this process ends. */
export function keepBusy(cores = availableParallelism()): Disposable & { pids: number[] } {
  const loops = Array.from({ length: cores }, () =>
    spawnBound(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" }),
  );
  return {
    pids: loops.map(({ pid }) => pid!),
    [Symbol.dispose]: () => loops.forEach((loop) => loop.kill("SIGKILL")),
  };
}

/** Runs the tests so often while every core is kept busy. */
export async function flicker({ runs, command, say }: FlickerPlan): Promise<Run[]> {
  const folder = mkdtempSync(join(tmpdir(), "trio-flicker-"));
  using _ = keepBusy();
  const done: Run[] = [];
  try {
    while (done.length < runs) {
      const run = await runOnce(command, join(folder, `${done.length}.json`));
      done.push(run);
      say(`run ${done.length} of ${runs}: ${run.failures.length} failed, ${run.minutes.toFixed(1)} min`);
      for (const failure of run.failures) say(`  ${failure}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return done;
}

async function runOnce([program, ...words]: FlickerPlan["command"], report: string): Promise<Run> {
  const begun = performance.now();
  // npm hands SIGTERM on to what it runs.
  const env = { ...process.env, TEST_REPORT: report };
  const child = spawnBound(program, words, { env, stdio: ["ignore", "ignore", "inherit"] }, "SIGTERM");
  const [code] = (await once(child, "exit")) as [number | null];
  const told = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as RunReport).failures : [];
  const isUntold = code !== 0 && told.length === 0;
  return { failures: isUntold ? [`ended with ${code}`] : told, minutes: (performance.now() - begun) / 60_000 };
}

/** What a failure is called, without its message, which may differ each time. */
const nameOf = (failure: string) => failure.split(": ", 1)[0]!;

/** How many runs each failure was in, the most frequent first, and what a run took. */
export function summaryOf(runs: readonly Run[]): string[] {
  const names = runs.flatMap(({ failures }) => [...new Set(failures.map(nameOf))]);
  const times = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, length }));
  const minutes = runs.map((run) => run.minutes).toSorted((a, b) => a - b);
  const took = `${minutes[Math.floor(minutes.length / 2)]!.toFixed(1)} min each (median; ${minutes.at(-1)!.toFixed(1)} at most)`;
  return [
    ...times.toSorted((a, b) => b.length - a.length).map(({ name, length }) => `${length} times: ${name}`),
    `${runs.length} runs, ${runs.filter(({ failures }) => failures.length > 0).length} of them with failures; ${took}`,
  ];
}
