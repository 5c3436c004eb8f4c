/** More than this many problems say no more than this many. */
const MOST = 200;

/** What does not agree, as sentences. */
export class Findings {
  readonly problems: string[] = [];

  check(agrees: boolean, problem: () => string): void {
    if (agrees) return;
    if (this.problems.length < MOST) this.problems.push(problem());
    else if (this.problems.length === MOST) this.problems.push("…and more");
  }
}
