import type { Operation, Step } from "./model-operations.ts";

const NOTHING: Operation = { does: "nothing" };

/**
 * Finds a shorter story that fails as well. Members do not depend on each other, so one of them mostly suffices; then
 * ever smaller stretches are left out. Gives up after `forMs` with the best so far.
 */
export async function shrink(steps: Step[], fails: (steps: Step[]) => Promise<boolean>, forMs = 90_000) {
  const until = performance.now() + forMs;
  let best = steps;
  async function attempt(next: Step[]): Promise<boolean> {
    if (performance.now() > until || !(await fails(next))) return false;
    best = next;
    return true;
  }
  const seats = best[0]!.operations.length;
  for (let half = Math.ceil(seats / 2); half >= 1; half = half === 1 ? 0 : Math.ceil(half / 2)) {
    for (let from = 0; from < seats; from += half) {
      const isLoud = best.some(({ operations }) => operations.slice(from, from + half).some((one) => one !== NOTHING));
      if (isLoud) await attempt(silence(best, from, from + half));
    }
  }
  for (let part = Math.ceil(best.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = best.length - part; from > -part; from -= part) {
      await attempt(best.filter((_, i) => i < from || i >= from + part));
    }
  }
  return best;
}

/** The same steps without the operations of some members. */
const silence = (steps: Step[], from: number, to: number): Step[] =>
  steps.map(({ operations, clock }) => ({
    clock,
    operations: operations.map((operation, i) => (i >= from && i < to ? NOTHING : operation)),
  }));

/** The remaining steps as text, one per line. */
export const tell = (steps: Step[]): string =>
  steps
    .map(({ operations, clock }, i) => {
      const output = operations.flatMap((one, seat) => (one.does === "nothing" ? [] : [`seat ${seat} ${words(one)}`]));
      return `${i + 1}. ${[...output, `clock ${words(clock)}`].join("; ")}`;
    })
    .join("\n");

const words = (value: object) => JSON.stringify(value).replaceAll('"', "");
