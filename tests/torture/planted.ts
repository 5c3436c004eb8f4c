import { spawnSync } from "node:child_process";
import { program } from "../support/program.ts";
import { BUGS, type Bug } from "./bugs.ts";
import type { Report } from "./judge.ts";

/** A run that a bug keeps from ending has found it. */
const LONGEST_MS = 180_000;

export interface PlantPlan {
  seed: number;
  /** Words in the names of the bugs to plant. */
  bug: string;
  say: (line: string) => void;
}

/** Runs the product with each known bug, one at a time, and tells by which checks it was found. */
export function plantAll({ seed, bug: words, say }: PlantPlan): Report {
  const bugs = BUGS.filter(({ name }) => name.includes(words));
  const faults = bugs.flatMap((bug) => {
    const found = findersOf(bug, seed);
    say(`${bug.area}: ${bug.name}: ${found.length > 0 ? `found by ${found.join(", ")}` : "NOT FOUND"}`);
    return found.length > 0 ? [] : [{ check: "planted", text: `${bug.name} was not found` }];
  });
  return { figures: { planted: bugs.length, found: bugs.length - faults.length }, faults };
}

function findersOf({ part, file, was, now }: Bug, seed: number): string[] {
  const words = [part, "--engine", "sqlite", "--kills", "3", "--cuts", "400", "--seed", String(seed)];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program("tests/torture/main.ts"), ...words], {
    env: { ...process.env, PLANT: JSON.stringify({ file, was, now }) },
    encoding: "utf8",
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
  });
  const checks = new Set([...stdout.matchAll(/WRONG ([a-z-]+):/g)].map(([, check]) => check!));
  if (checks.size > 0 || status === 0) return [...checks];
  if (status === null) return ["a run that does not end"];
  throw new Error(`the run failed by itself: ${stderr}`);
}
