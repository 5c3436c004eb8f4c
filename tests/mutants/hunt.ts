import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { importsOf, reachedFrom } from "../support/imports.ts";
import { readSourceFiles, ROOT } from "../support/source-files.ts";
import type { Domain } from "./domains.ts";
import { mutantsOf, type Mutant } from "./mutants.ts";
import { likeliest } from "./likely.ts";
import { AT_IMPORT, probesAt, withProbes } from "./probes.ts";
import { hashOf, type Coverage, type Result, type Results } from "./results.ts";
import { HUNG, Runs, type Killer, type Wanted } from "./runs.ts";
import { writeIn } from "./tree.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const HOUR_MS = 3_600_000;
/** A test may take so much longer than it did without a change. */
const PATIENCE = { factor: 3, ms: 5_000 };
/** What hangs is tried once more, with so many times the patience: on a machine that was merely busy it ends then. */
const AGAIN = 4;

/** So many mutants' killers are confirmed in one run. */
const CONFIRMED_AT_ONCE = 24;

type ProbedMutant = Mutant & { probes: string[] };

/** A domain's mutants against its tests, in one copy of the tree. */
export class Hunt {
  readonly #domain: Domain;
  readonly #copy: string;
  readonly #results: Results;
  readonly #runs: Runs;
  readonly #texts: Map<string, string>;
  readonly #tests: Map<string, string>;
  readonly #coverage = new Map<string, Coverage>();
  /** Tests that fail alone without any change: they need what others do before them. */
  readonly #dependent = new Set<string>();
  readonly #lastKiller = new Map<string, Killer>();
  /** How many mutants of a source a test file has killed. */
  readonly #kills = new Map<string, number>();

  constructor(domain: Domain, copy: string, results: Results) {
    this.#domain = domain;
    this.#copy = copy;
    this.#results = results;
    this.#runs = new Runs(copy, domain.project, inThreads());
    this.#texts = new Map(domain.sources.map((file) => [file, read(file)]));
    this.#tests = hashesOf(domain.tests);
  }

  /** All mutants in the order of files and text; each with the statements that can notice it. */
  mutants(): ProbedMutant[] {
    return [...this.#texts].flatMap(([file, text]) => {
      const probesOf = probesAt(file, text);
      const named = ({ start, end }: Mutant) => probesOf(start, end).map((probe) => `${file}:${probe}`);
      return mutantsOf(file, text).map((one) => ({ ...one, probes: named(one) }));
    });
  }

  /** Learns which tests run which statements. Throws if a test fails without any change. */
  async learn(): Promise<void> {
    const sources = hashOf(...this.#texts.keys(), ...this.#texts.values(), read("tests/mutants/probes.ts"));
    const keyOf = (file: string) => `coverage ${this.#domain.project} ${file} ${this.#tests.get(file)} ${sources}`;
    const unknown = this.#domain.tests.filter((file) => !this.#results.get(keyOf(file)));
    if (unknown.length) for (const [file, text] of this.#texts) this.#write(file, withProbes(file, text));
    for (const file of unknown) this.#results.set(keyOf(file), await this.#cover(file));
    if (unknown.length) for (const [file, text] of this.#texts) this.#write(file, text);
    for (const file of this.#domain.tests) this.#coverage.set(file, this.#results.get<Coverage>(keyOf(file))!);
  }

  async #cover(file: string): Promise<Coverage> {
    const run = () => {
      // What is run at import is run by each file that is tried alone.
      for (const source of this.#texts.keys()) this.#runs.changed(source);
      rmSync(this.#runs.report, { force: true });
      return this.#runs.run([{ file }], () => HOUR_MS);
    };
    const first = await run();
    const { killer, costs } = first.killer ? await run() : first;
    if (killer) throw new Error(`${file} fails without a change: ${killer.name}: ${killer.error}`);
    const ran: Record<string, string[]> = {};
    const lines = existsSync(this.#runs.report) ? readFileSync(this.#runs.report, "utf8").split("\n") : [];
    for (const line of new Set(lines.filter(Boolean))) {
      const [test, probe] = line.split("\t") as [string, string];
      (ran[probe] ??= []).push(test);
    }
    return { costs, ran };
  }

  /**
   * What notices each mutant; null when nothing does. That what failed passes without the change is found out for many
   * at once: it would cost as much as the mutant itself.
   */
  async *hunt<T extends ProbedMutant>(mutants: readonly T[]): AsyncGenerator<[T, Killer | null]> {
    for (let from = 0; from < mutants.length; from += CONFIRMED_AT_ONCE) {
      const batch: { mutant: T; known: Killer | null | undefined; first: Killer | null; ms: number }[] = [];
      for (const mutant of mutants.slice(from, from + CONFIRMED_AT_ONCE)) {
        const known = this.#knownOf(mutant);
        const begun = performance.now();
        const first = known === undefined ? await this.#likelyKillerOf(mutant) : null;
        batch.push({ mutant, known, first, ms: performance.now() - begun });
      }
      const pass = await this.#allPass(batch.flatMap(({ first }) => (first?.isCertain ? first : [])));
      for (const { mutant, known, first, ms } of batch) {
        if (known !== undefined) yield [mutant, this.#remember(mutant, known)];
        else yield [mutant, await this.#decide(mutant, { first, isConfirmed: pass && first?.isCertain === true }, ms)];
      }
    }
  }

  /** What an earlier run found out, if the tests that decided are the same; undefined if that is not known. */
  #knownOf(mutant: ProbedMutant): Killer | null | undefined {
    const known = this.#results.get<Result>(hashOf(mutant.file, mutant.text));
    if (known?.killer) return this.#isSame(known, known.killer.file) ? known.killer : undefined;
    return known && this.#untried(mutant, known).length === 0 ? null : undefined;
  }

  #isSame({ tests }: Result, file: string): boolean {
    return tests[file] !== undefined && tests[file] === this.#tests.get(file);
  }

  /** The tests that have not missed the mutant yet. */
  #untried(mutant: ProbedMutant, known = this.#results.get<Result>(hashOf(mutant.file, mutant.text))): Wanted[] {
    const all = this.#wanted(mutant);
    return known && !known.killer ? all.filter(({ file }) => !this.#isSame(known, file)) : all;
  }

  /** Which of the likeliest tests notices the mutant. */
  async #likelyKillerOf(mutant: ProbedMutant): Promise<Killer | null> {
    const untried = this.#untried(mutant);
    const { file: source, probes } = mutant;
    const likely = likeliest(this.#coverage, untried, { source, probes });
    if (!likely.length) return null;
    this.#write(source, mutant.text);
    const { killer } = await this.#runs.run(likely, this.#limitOf);
    this.#write(source, this.#texts.get(source)!);
    if (killer?.isCertain) this.#remember(mutant, killer);
    return killer;
  }

  /** Whether all these tests pass while nothing is changed. If not, what follows begins from nothing. */
  async #allPass(killers: readonly Killer[]): Promise<boolean> {
    const byFile = Map.groupBy(killers, ({ file }) => file);
    const wanted = [...byFile].map(([file, of]) => ({ file, tests: [...new Set(of.map(({ test }) => test!))] }));
    if (!wanted.length) return true;
    const { killer } = await this.#runs.run(wanted, this.#limitOf);
    if (killer) this.#runs.drop();
    return !killer;
  }

  async #decide(
    mutant: ProbedMutant,
    { first, isConfirmed }: { first: Killer | null; isConfirmed: boolean },
    likelyMs: number,
  ): Promise<Killer | null> {
    const wanted = this.#untried(mutant);
    const begun = performance.now();
    const tried = async () => (wanted.length ? this.#try(mutant, wanted, first) : null);
    const killer = isConfirmed ? first : await tried();
    const ms = Math.round(likelyMs + performance.now() - begun);
    const decided = killer ? [killer] : this.#wanted(mutant);
    const tests = Object.fromEntries(decided.map(({ file }) => [file, this.#tests.get(file)!]));
    this.#results.set<Result>(hashOf(mutant.file, mutant.text), { killer, tests, ms });
    return isConfirmed ? killer : this.#remember(mutant, killer);
  }

  #remember({ file }: Mutant, killer: Killer | null): Killer | null {
    if (!killer) return null;
    const key = `${file} ${killer.file}`;
    this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
    this.#lastKiller.set(file, killer);
    return killer;
  }

  /** All tests that run one of its statements. Cheap files come first, those that run much of its source, and earlier killers. */
  #wanted({ file: source, probes }: ProbedMutant): Wanted[] {
    const isAtImport = probes.includes(`${source}:${AT_IMPORT}`);
    const wanted = this.#domain.tests.flatMap((file): Wanted[] => {
      const { ran } = this.#coverage.get(file)!;
      const tests = new Set(probes.flatMap((probe) => ran[probe] ?? []));
      if (tests.size === 0) return [];
      if (isAtImport || tests.has("")) return [{ file }];
      const ids = [...tests].filter((id) => !this.#dependent.has(id));
      return ids.length ? [{ file, tests: ids }] : [];
    });
    const price = (one: Wanted) => this.#costOf(one) / this.#weightOf(source, one.file);
    return wanted.sort((a, b) => price(a) - price(b));
  }

  /** What is run at import is run by every file, so how much else of the source a file runs tells whom it concerns. */
  #weightOf(source: string, file: string): number {
    const probes = Object.keys(this.#coverage.get(file)!.ran).filter((probe) => probe.startsWith(`${source}:`));
    return (1 + (this.#kills.get(`${source} ${file}`) ?? 0)) * probes.length ** 2;
  }

  /** What the file itself costs, and these of its tests. */
  #costOf({ file, tests }: Wanted): number {
    const { costs } = this.#coverage.get(file)!;
    const costOfAll = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (costs[id] ?? 0), 0);
    const all = Object.keys(costs).filter((id) => id !== file);
    return tests ? Math.max(0, costs[file]! - costOfAll(all)) + costOfAll(tests) : costs[file]!;
  }

  async #try(mutant: Mutant, wanted: Wanted[], suspect: Killer | null): Promise<Killer | null> {
    this.#write(mutant.file, mutant.text);
    try {
      return await this.#tryTests(mutant, wanted, suspect);
    } finally {
      this.#write(mutant.file, this.#texts.get(mutant.file)!);
    }
  }

  /**
   * The test that failed already, if a busy machine may have been to blame, then the one that killed the neighbour, then
   * all, until one fails that passes without the change.
   */
  async #tryTests(mutant: Mutant, wanted: Wanted[], suspect: Killer | null): Promise<Killer | null> {
    const isWanted = ({ file, test }: Killer) =>
      test !== undefined && wanted.some((one) => one.file === file && (one.tests?.includes(test) ?? true));
    const first = new Set([suspect, this.#lastKiller.get(mutant.file)].filter((one) => one && isWanted(one)));
    const rounds = [...[...first].map((one) => [{ file: one!.file, tests: [one!.test!] }]), wanted];
    for (const round of rounds) {
      const killer = await this.#killed(round);
      if (!killer) continue;
      if (await this.#passesWithout(mutant, killer)) return killer;
      const whole = await this.#killed(wanted.map(({ file }) => ({ file })));
      if (whole && whole.name !== HUNG) return whole;
    }
    return null;
  }

  /**
   * What fails. Unless it is certain, a busy machine may be to blame, or the runner: that counts only if it happens
   * twice. A file that cannot be loaded, or hangs, is tried again from nothing.
   */
  async #killed(wanted: readonly Wanted[]): Promise<Killer | null> {
    const { killer } = await this.#runs.run(wanted, this.#limitOf);
    if (!killer || killer.isCertain) return killer;
    const { file, test } = killer;
    if (!test) this.#runs.drop();
    const again = await this.#runs.run(test ? [{ file, tests: [test] }] : wanted, (of) => AGAIN * this.#limitOf(of));
    if (again.killer || !test) return again.killer;
    const others = wanted.map((one) => (one.file === file ? this.#without(one, test) : one));
    const left = others.filter(({ tests }) => tests?.length !== 0);
    return left.length ? this.#killed(left) : null;
  }

  readonly #limitOf = (file: string): number => this.#longestOf(file) * PATIENCE.factor + PATIENCE.ms;

  #without({ file, tests }: Wanted, test: string): Wanted {
    const { [file]: _, ...each } = this.#coverage.get(file)!.costs;
    return { file, tests: (tests ?? Object.keys(each)).filter((id) => id !== test) };
  }

  /** The longest that one of the file's tests took, or the file outside of its tests. */
  #longestOf(file: string): number {
    const { [file]: whole = 0, ...tests } = this.#coverage.get(file)?.costs ?? {};
    const each = Object.values(tests);
    return Math.max(...each, whole - each.reduce((sum, ms) => sum + ms, 0));
  }

  /**
   * Whether what failed passes alone, in the same process and without the change. If not, an earlier change may have left
   * something behind, or the machine is busy: what follows begins from nothing.
   */
  async #passesWithout({ file, text }: Mutant, { file: testFile, test }: Killer): Promise<boolean> {
    const fails = () => this.#killed([{ file: testFile, tests: test === undefined ? undefined : [test] }]);
    this.#write(file, this.#texts.get(file)!);
    const passes = !(await fails());
    if (!passes) {
      this.#runs.drop();
      if (test !== undefined && (await fails())) this.#dependent.add(test);
    }
    this.#write(file, text);
    return passes;
  }

  #write(file: string, text: string): void {
    writeIn(this.#copy, file, text);
    this.#runs.changed(file);
  }

  close(): Promise<void> {
    return this.#runs.close();
  }
}

/** What a database's writer thread loads: threads go on from one test to the next. */
const inThreads = () => reachedFrom(["tests/support/pooled-writer.ts"], importsOf(readSourceFiles()));

/** The hashes of test files, each with all that it imports from tests: contracts, worlds, tools. */
function hashesOf(files: readonly string[]): Map<string, string> {
  const sources = readSourceFiles().filter(({ path }) => path.startsWith("tests/"));
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const imports = importsOf(sources);
  const reached = (file: string) => [...reachedFrom([file], imports)].sort();
  return new Map(files.map((file) => [file, hashOf(...reached(file).flatMap((path) => texts.get(path) ?? []))]));
}
