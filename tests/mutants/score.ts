/** What became of a domain's mutants. */
export interface Score {
  domain: string;
  /** How many there are, and how many of them nobody can notice, as `explained.ts` says. */
  mutants: number;
  explained: number;
  /** Of those that were tried. */
  killed: number;
  /** Of the killed, those whose test hung. */
  hung: number;
  survived: number;
  excused: number;
}

/** So much of a domain may be explained instead of killed. */
export const MOST_EXPLAINED = 0.05;

const percent = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;

/** The domains in which more is explained than may be. */
export const overExplained = (scores: readonly Score[]): Score[] =>
  scores.filter(({ explained, mutants }) => explained > MOST_EXPLAINED * mutants);

/** A table of the domains, and their sum. The score is the share of the killed among all that can be noticed. */
export function tableOf(scores: readonly Score[]): string {
  const sum = scores.reduce((all, one) => added(all, one), { ...NONE, domain: "all" });
  const rows = [...scores, sum].map((one) => [
    one.domain,
    `${one.killed + one.survived + one.excused} of ${one.mutants}`,
    `${one.killed} (${one.hung})`,
    String(one.survived),
    String(one.excused),
    percent(one.killed, one.killed + one.survived),
    `${one.explained}, ${percent(one.explained, one.mutants)}`,
  ]);
  const titles = ["domain", "tried", "killed (hung)", "survived", "excused", "score", "explained of all"];
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  return [titles, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const NONE = { mutants: 0, explained: 0, killed: 0, hung: 0, survived: 0, excused: 0 };

const added = (one: Score, other: Score): Score => ({
  domain: one.domain,
  mutants: one.mutants + other.mutants,
  explained: one.explained + other.explained,
  killed: one.killed + other.killed,
  hung: one.hung + other.hung,
  survived: one.survived + other.survived,
  excused: one.excused + other.excused,
});
