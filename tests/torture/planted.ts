import { spawnSync } from "node:child_process";
import { program } from "../support/program.ts";
import { BUGS, type Bug } from "./bugs.ts";
import type { Report } from "./judge.ts";

/** A run that a bug keeps from ending is ended. */
const LONGEST_MS = 300_000;
/** Says that a run did too little, on a busy machine too. It finds no bug. */
const TOO_LITTLE = "steps";

export interface PlantPlan {
  seed: number;
  /** Words in the names of the bugs to plant. */
  bug: string;
  say: (line: string) => void;
}

/** Runs the product with each known bug, one at a time, and tells by which checks it was found. */
export function plantAll({ seed, bug: words, say }: PlantPlan): Report {
  const bugs = BUGS.filter(({ name }) => name.includes(words));
  // What finds something where there is nothing would find every bug.
  const runs = new Map(bugs.map((bug) => [`${bug.part}${bug.inBucket ? " in a bucket" : ""}`, bug]));
  for (const [part, run] of runs) {
    const { found } = play(run, seed, {});
    say(`${part} without a bug: ${found.length > 0 ? `WRONG, found by ${found.join(", ")}` : "nothing is found"}`);
    if (found.length > 0)
      return { figures: {}, faults: [{ check: "planted", text: `${part} finds what is not there` }] };
  }
  const faults = bugs.flatMap((bug) => {
    const found = findersOf(bug, seed);
    say(`${bug.area}: ${bug.name}: ${found.length > 0 ? `found by ${found.join(", ")}` : "NOT FOUND"}`);
    return found.length > 0 ? [] : [{ check: "planted", text: `${bug.name} was not found` }];
  });
  return { figures: { planted: bugs.length, found: bugs.length - faults.length }, faults };
}

interface Run {
  found: string[];
  hasEnded: boolean;
}

/** The checks that found a bug; a run that did not end only where the bug is known to keep it from that. */
function findersOf(bug: Bug, seed: number): string[] {
  const { file, was, now, hangs = false, runs = 1 } = bug;
  const env = { PLANT: JSON.stringify({ file, was, now }) };
  for (let i = 0; i < runs; i++) {
    const { found, hasEnded } = play(bug, seed + i, env);
    const checks = found.filter((check) => check !== TOO_LITTLE);
    if (checks.length > 0) return checks;
    if (!hasEnded && hangs) return ["a run that does not end"];
  }
  return [];
}

function play({ part, inBucket }: Pick<Bug, "part" | "inBucket">, given: number, env: Record<string, string>): Run {
  // An even seed lays files into a bucket.
  const seed = inBucket ? given * 2 : given * 2 - 1;
  const minutes = part === "clocks" ? "1" : "2";
  const long = ["--kills", "3", "--cuts", "400", "--minutes", minutes];
  const words = [part, "--engine", "sqlite", ...long, "--seed", String(seed)];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program("tests/torture/main.ts"), ...words], {
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
  });
  const found = [...new Set([...stdout.matchAll(/WRONG ([a-z-]+):/g)].map(([, check]) => check!))];
  if (found.length === 0 && status !== null && status !== 0) throw new Error(`the run failed by itself: ${stderr}`);
  return { found, hasEnded: status !== null };
}
