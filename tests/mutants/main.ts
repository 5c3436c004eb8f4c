import { parseArgs } from "node:util";
import { DOMAINS, type Domain } from "./domains.ts";
import { EXPLAINED, type Explained } from "./explained.ts";
import { Hunt } from "./hunt.ts";
import type { Mutant } from "./mutants.ts";
import { hashOf, Results } from "./results.ts";
import { HUNG } from "./runs.ts";
import { MOST_EXPLAINED, tableOf, overExplained, type Score } from "./score.ts";
import { copyTree } from "./tree.ts";

/*
 * Changes the product a little, again and again, and expects a test to fail each time.
 * npm run test:mutants -- [DOMAIN…] [--file PATH…] [--sample N]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: "string", multiple: true }, sample: { type: "string" } },
});
const names = DOMAINS.map(({ name }) => name);
const strange = positionals.find((name) => !names.includes(name));
if (strange) throw new Error(`there is no domain ${strange}: ${names.join(", ")}`);
const isWanted = ({ name, sources }: Domain) =>
  (positionals.length === 0 || positionals.includes(name)) &&
  (!values.file || sources.some((file) => values.file!.includes(file)));
const domains = DOMAINS.filter(isWanted);
const unknown = values.file?.find((file) => !domains.some(({ sources }) => sources.includes(file)));
if (unknown) throw new Error(`no domain has the file ${unknown}`);
const most = values.sample === undefined ? Infinity : Number(values.sample);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
// Each start of Vitest reads its settings anew, and they clean up at the exit.
process.setMaxListeners(0);

const say = (line: string) => process.stdout.write(`${line}\n`);
const copy = copyTree();
const results = new Results();
const all: Mutant[] = [];
const [explained, killedAnyway, scores] = [new Set<Explained>(), new Set<Explained>(), [] as Score[]];

/** Those of the files that were named. Of them the same part every time: the mutants whose hashes come first. */
function sampleOf<T extends Mutant>(those: T[]): T[] {
  const mutants = those.filter(({ file }) => !values.file || values.file.includes(file));
  const ranks = new Map(mutants.map(({ id }) => [id, hashOf(id)]));
  const byRank = mutants.toSorted((a, b) => ranks.get(a.id)!.localeCompare(ranks.get(b.id)!));
  const chosen = new Set(byRank.slice(0, most));
  return mutants.filter((mutant) => chosen.has(mutant));
}

const reasonFor = ({ file, was, now }: Mutant) =>
  EXPLAINED.find((one) => one.file === file && one.was === was && one.now === now);

for (const domain of domains) {
  const hunt = new Hunt(domain, copy, results);
  const mutants = hunt.mutants();
  all.push(...mutants);
  const sample = sampleOf(mutants);
  say(`${domain.name}: ${sample.length} of ${mutants.length} mutants`);
  const begun = performance.now();
  await hunt.learn();
  say(`${domain.name}: learnt in ${Math.round((performance.now() - begun) / 1_000)} s what its tests run`);
  const score: Score = {
    domain: domain.name,
    mutants: mutants.length,
    explained: mutants.filter(reasonFor).length,
    killed: 0,
    hung: 0,
    survived: 0,
    excused: 0,
  };
  scores.push(score);
  const hunted = performance.now();
  for await (const [mutant, killer] of hunt.hunt(sample)) {
    const reason = reasonFor(mutant);
    if (killer && reason) killedAnyway.add(reason);
    if (killer?.name === HUNG) score.hung++;
    if (killer) score.killed++;
    else if (reason) {
      explained.add(reason);
      score.excused++;
    } else {
      score.survived++;
      say(`SURVIVED ${mutant.id}\n  - ${mutant.was}\n  + ${mutant.now}`);
    }
  }
  await hunt.close();
  const each = (performance.now() - hunted) / 1_000 / sample.length;
  say(`${domain.name}: ${score.killed} killed, ${score.survived} survived; ${each.toFixed(2)} s each`);
}

const isOfRun = ({ file }: Explained) => domains.some(({ sources }) => sources.includes(file));
const isThere = (one: Explained) => all.some((mutant) => reasonFor(mutant) === one);
const stale = EXPLAINED.filter(
  (one) => isOfRun(one) && (!isThere(one) || (killedAnyway.has(one) && !explained.has(one))),
);
for (const { file, now, why } of stale) say(`EXPLAINED FOR NOTHING ${file}: ${now} (${why})`);
const tooMany = overExplained(scores);
for (const { domain } of tooMany) say(`EXPLAINED MORE THAN ${100 * MOST_EXPLAINED} % OF ${domain}`);
say(`\n${tableOf(scores)}`);
const hasSurvived = scores.some(({ survived }) => survived > 0);
process.exit(hasSurvived || stale.length || tooMany.length ? 1 : 0);
