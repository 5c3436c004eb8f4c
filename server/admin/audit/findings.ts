/** The list ends after this many problems. */
const MOST = 200;

/** The problems that the audit found, as sentences. */
export class Findings {
  readonly problems: string[] = [];

  check(agrees: boolean, problem: () => string): void {
    if (agrees) return;
    if (this.problems.length < MOST) this.problems.push(problem());
    else if (this.problems.length === MOST) this.problems.push("…and more");
  }
}
