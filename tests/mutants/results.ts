import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/source-files.ts";
import type { Killer } from "./runs.ts";

const FILE = join(ROOT, "node_modules/.cache/mutants/results.jsonl");

export const hashOf = (...texts: string[]): string => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest("hex").slice(0, 24);
};

/** What became of a mutant. It stands for as long as the tests that decided have the same text. */
export interface Result {
  killer: Killer | null;
  /** The hashes of the test files that noticed nothing, or of the one that did. */
  tests: Record<string, string>;
  /** What it took to find out. */
  ms: number;
}

/** The coverage of a test file: by probe, the tests that ran it. */
export interface Coverage {
  costs: Record<string, number>;
  /** The empty id: outside of a test, or in another thread. */
  ran: Record<string, string[]>;
}

/** The results of earlier runs, so that an interrupted one goes on. */
export class Results {
  readonly #file: string;
  readonly #known = new Map<string, unknown>();

  constructor(file = FILE) {
    this.#file = file;
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
      const [key, value] = JSON.parse(line) as [string, unknown];
      this.#known.set(key, value);
    }
  }

  get<T>(key: string): T | undefined {
    return this.#known.get(key) as T | undefined;
  }

  set<T>(key: string, value: T): void {
    this.#known.set(key, value);
    mkdirSync(dirname(this.#file), { recursive: true });
    appendFileSync(this.#file, `${JSON.stringify([key, value])}\n`);
  }
}
