import type { BeaconCheck, SignedRule } from "./context.ts";

/** The round of a draw. */
type Subject = Record<"game" | "round", string>;

/** Signatures that are checked at once. */
const MOST_AT_ONCE = 256;

/** Beacons of draws whose signatures wait to be checked: many at once cost little more than one. */
export class WaitingBeacons {
  readonly #beacons: BeaconCheck;
  readonly #tellFalse: (subject: Subject, size: number) => void;
  /** Rounds of several games share a beacon. */
  readonly #waiting = new Map<string, SignedRule & { draws: { subject: Subject; size: number }[] }>();

  constructor(beacons: BeaconCheck, tellFalse: (subject: Subject, size: number) => void) {
    this.#beacons = beacons;
    this.#tellFalse = tellFalse;
  }

  /** The beacon of a draw, which is the leaf before this size. */
  add({ rule, signature }: SignedRule, subject: Subject, size: number): void {
    const name = `${rule} ${signature}`;
    const waiting = this.#waiting.get(name) ?? { rule, signature, draws: [] };
    this.#waiting.set(name, waiting);
    waiting.draws.push({ subject, size });
    if (this.#waiting.size >= MOST_AT_ONCE) this.end();
  }

  /** Checks the signatures that wait. */
  end(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [i, isSigned] of this.#beacons.areSigned(waiting).entries())
      if (!isSigned) for (const { subject, size } of waiting[i]!.draws) this.#tellFalse(subject, size);
  }
}
