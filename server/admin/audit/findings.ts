/** Each list ends after this many sentences: more than a database without any of its guards gives. */
const MOST = 1_000;

/** What the audit found, as sentences. */
export class Findings {
  /** What contradicts itself. One is enough to fail the audit. */
  readonly problems: string[] = [];
  /** What an honest site may have too, and its operator should know. */
  readonly notes: string[] = [];

  check(agrees: boolean, problem: () => string): void {
    if (!agrees) add(this.problems, problem);
  }

  note(sentence: () => string): void {
    add(this.notes, sentence);
  }
}

function add(list: string[], sentence: () => string): void {
  if (list.length < MOST) list.push(sentence());
  else if (list.length === MOST) list.push("…and more");
}
