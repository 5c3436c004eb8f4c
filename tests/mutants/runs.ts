import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createVitest,
  type Reporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type Vitest,
} from "vitest/node";
import { REPORT } from "./probes.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** What has changed since the run before: files, and whether a database's writer thread loads one of them. */
    changed: { files: string[]; isInThreads: boolean };
  }
}

/** A test file, and of it only these tests; all without them. */
export interface Wanted {
  file: string;
  tests?: readonly string[] | undefined;
}

/** What noticed a change. Without a test, the whole file failed. */
export interface Killer {
  file: string;
  test?: string;
  name: string;
  /** The first line of what it said. */
  error?: string;
  /** Whether the change alone can have done it, and no busy machine: it expected something else, or met what is not there. */
  isCertain?: boolean;
}

/** Errors that do not come of a machine being busy. */
const CERTAIN = new Set(["AssertionError", "TypeError", "RangeError", "ReferenceError", "SyntaxError"]);

/** The name of a killer that did not end. */
export const HUNG = "took too long";

interface Ran {
  killer: Killer | null;
  /** The milliseconds that files and tests took, by file and id. */
  costs: Record<string, number>;
}

/** What this run reported. Vitest's own results hold those of earlier runs too. */
class Heard implements Reporter {
  killer: Killer | null = null;
  costs: Record<string, number> = {};
  /** How many tests were not skipped. */
  ran = 0;
  /** The file that began last. */
  file = "";
  /** Called whenever a file or a test begins or ends. */
  onProgress = (): void => {};

  /** A new run begins, with this file. */
  begin(file: string): void {
    this.killer = null;
    this.costs = {};
    this.ran = 0;
    this.file = file;
  }

  onTestModuleStart(module: TestModule): void {
    this.file = module.relativeModuleId;
    this.onProgress();
  }

  onTestCaseReady(): void {
    this.onProgress();
  }

  onTestCaseResult(test: TestCase): void {
    this.onProgress();
    if (test.result().state !== "skipped") this.ran++;
    this.costs[test.id] = test.diagnostic()?.duration ?? 0;
    if (test.result().state !== "failed") return;
    const { name, message = "" } = test.result().errors?.[0] ?? {};
    const of = { file: test.module.relativeModuleId, test: test.id, name: test.fullName };
    this.killer ??= { ...of, error: message.split("\n")[0]!, isCertain: CERTAIN.has(name ?? "") };
  }

  onTestModuleEnd(module: TestModule): void {
    this.onProgress();
    const { duration, collectDuration } = module.diagnostic();
    const file = module.relativeModuleId;
    this.costs[file] = duration + collectDuration;
    if (module.state() !== "failed") return;
    const suites = [...module.children.allSuites()];
    const [error] = [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
    this.killer ??= { file, name: "the file failed", error: error?.message ?? "" };
  }

  /** A run can fail without a test or a file that did. */
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const file = modules.find((one) => one.state() === "failed")?.relativeModuleId ?? this.file;
    if (reason !== "passed") this.killer ??= { file, name: "the run broke off" };
  }
}

/** What a process may take beyond the limit until its first test file has been loaded: it loads all packages. */
const START_MS = 120_000;

/** One Vitest over a copy of the tree. It is reused for all runs: only what changed is read again. */
export class Runs {
  readonly #root: string;
  readonly #project: string;
  readonly #inThreads: ReadonlySet<string>;
  readonly #changed = new Set<string>();
  #vitest: Vitest | undefined;
  #heard = new Heard();

  constructor(root: string, project: string, inThreads: ReadonlySet<string>) {
    this.#root = root;
    this.#project = project;
    this.#inThreads = inThreads;
    // Before the folder goes, which holds the number of the worker.
    process.prependOnceListener("exit", () => this.#endWorker());
  }

  /** Runs tests until the first failure. It counts as one that nothing begins or ends for as long as the file's limit. */
  async run(wanted: readonly Wanted[], limitOf: (file: string) => number): Promise<Ran> {
    const startMs = this.#vitest ? 0 : START_MS;
    const vitest = await this.#started();
    const heard = this.#heard;
    const project = vitest.getProjectByName(this.#project);
    const specifications = wanted.map(({ file, tests }) =>
      project.createSpecification(join(this.#root, file), tests && { testIds: [...tests] }),
    );
    this.#provideChanged(vitest);
    heard.begin(wanted[0]!.file);
    const limit = Promise.withResolvers<null>();
    let timer: NodeJS.Timeout | undefined;
    const wait = (moreMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => limit.resolve(null), limitOf(heard.file) + moreMs);
    };
    heard.onProgress = () => wait(0);
    wait(startMs);
    const ran = await Promise.race([vitest.runTestSpecifications(specifications), limit.promise]);
    clearTimeout(timer);
    heard.onProgress = () => {};
    const { killer, costs } = heard;
    const [at, error] = [{ file: heard.file }, ran?.unhandledErrors[0]];
    // What a run left behind may fail in the next one.
    if (!ran || error) this.drop();
    if (!ran) return { killer: { ...at, name: HUNG }, costs: {} };
    const noticed = killer ?? (error ? { ...at, name: (error as Error).message } : null);
    if (!noticed && heard.ran === 0) throw new Error(`no test of ${wanted.map(({ file }) => file).join(" ")} has run`);
    return { killer: noticed, costs };
  }

  #provideChanged(vitest: Vitest): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    const files = changed.map((file) => join(this.#root, file));
    vitest.provide("changed", { files, isInThreads: changed.some((file) => this.#inThreads.has(file)) });
  }

  /** The file in the copy has changed. */
  changed(file: string): void {
    this.#changed.add(file);
    this.#vitest?.invalidateFile(join(this.#root, file));
  }

  async close(): Promise<void> {
    await this.#vitest?.close();
    this.#endWorker();
  }

  /** Where probes report to. */
  get report(): string {
    return join(this.#root, "probes.tsv");
  }

  async #started(): Promise<Vitest> {
    // Vitest's own command sets it, and failpoints fail nothing without it.
    process.env.NODE_ENV ??= "test";
    process.env[REPORT] = this.report;
    process.env.MUTANT_WORKER = join(this.#root, "worker.pid");
    const options = { root: this.#root, config: join(this.#root, "tests/mutants/vitest.config.ts") };
    if (this.#vitest) return this.#vitest;
    this.#heard = new Heard();
    this.#vitest = await createVitest("test", {
      ...options,
      watch: false,
      bail: 1,
      project: [this.#project],
      reporters: [this.#heard],
    });
    return this.#vitest;
  }

  /** The next run begins anew: this one may never end. */
  drop(): void {
    this.#endWorker();
    this.#vitest?.close().catch(() => {});
    this.#vitest = undefined;
  }

  #endWorker(): void {
    try {
      const worker = readFileSync(process.env.MUTANT_WORKER!, "utf8");
      // An ended worker's number may be another program's by now.
      const parent = execFileSync("ps", ["-o", "ppid=", "-p", worker], { encoding: "utf8" });
      if (Number(parent) === process.pid) process.kill(Number(worker), "SIGKILL");
    } catch {
      // It has ended, or has not begun.
    }
  }
}
