import type { Coverage } from "./results.ts";
import type { Wanted } from "./runs.ts";

/** So many tests are tried before all others. */
const FIRST = 10;
/** Statements that many characters apart have half as much to do with each other. */
const NEAR = 300;
/** What a test costs beside its own milliseconds. */
const OVERHEAD_MS = 20;

/**
 * The tests that are likely to notice a change: they run what few others run, close to it. A changed condition is noticed
 * by the tests that run the branch behind it, and not by the hundred that only pass by.
 */
export function likeliest(
  coverage: ReadonlyMap<string, Coverage>,
  wanted: readonly Wanted[],
  { source, probes }: { source: string; probes: readonly string[] },
): Wanted[] {
  const offsetOf = (name: string) => Number(name.slice(source.length + 1));
  const runBy = new Map<string, { file: string; near: string[] }>();
  const counts = new Map<string, number>();
  const ids = new Map(wanted.map(({ file, tests }) => [file, tests && new Set(tests)]));
  for (const [file, { ran }] of coverage) {
    for (const [name, tests] of Object.entries(ran)) {
      if (!name.startsWith(`${source}:`)) continue;
      counts.set(name, (counts.get(name) ?? 0) + tests.length);
      for (const test of tests) {
        if (test === "" || !ids.has(file) || ids.get(file)?.has(test) === false) continue;
        const of = runBy.get(test) ?? { file, near: [] };
        runBy.set(test, of);
        of.near.push(name);
      }
    }
  }
  const offsets = probes.map(offsetOf);
  const distance = (name: string) => Math.min(...offsets.map((offset) => Math.abs(offsetOf(name) - offset)));
  const closeness = (name: string) => 1 / (1 + distance(name) / NEAR);
  const ranked = [...runBy].map(([test, { file, near }]) => {
    const rarity = near.reduce((sum, name) => sum + closeness(name) / counts.get(name)!, 0);
    return { test, file, worth: rarity / (OVERHEAD_MS + (coverage.get(file)!.costs[test] ?? 0)) };
  });
  ranked.sort((a, b) => b.worth - a.worth);
  const byFile = Map.groupBy(ranked.slice(0, FIRST), ({ file }) => file);
  return [...byFile].map(([file, tests]) => ({ file, tests: tests.map(({ test }) => test) }));
}
