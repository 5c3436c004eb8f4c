import { expect, it } from "vitest";
import { refuseFaults } from "./judge.ts";
import { lie } from "./network.ts";

/** A short form of `npm run torture -- network`. */
export function network(): void {
  it("a network that lies leaves all that was told", { timeout: 1_200_000 }, async () => {
    const { faults, figures } = await lie({ seed: 5, minutes: 0.2, say: () => {} });
    refuseFaults(faults);
    for (const kind of ["cuts", "sleeps", "doubled", "lost", "held", "late", "slow", "bets"])
      expect([kind, figures[kind]! > 0]).toEqual([kind, true]);
  });
}
