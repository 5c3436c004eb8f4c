import { expect, it } from "vitest";
import { setClocks } from "./clocks.ts";
import { refuseFaults } from "./judge.ts";

/** A short form of `npm run torture -- clocks`: each jump once, and each moment. */
export function clocks(): void {
  it("clocks that are set ahead and back leave all that was told", { timeout: 1_200_000 }, async () => {
    const { faults, figures } = await setClocks({ seed: 4, minutes: 0.1, say: () => {} });
    refuseFaults(faults);
    for (const kind of ["hours ahead", "seconds back", "a day ahead", "hours back", "a year ahead", "a year back"])
      expect([kind, figures[kind]! > 0]).toEqual([kind, true]);
    for (const moment of ["any", "closing", "drawing", "start", "down"])
      expect([moment, figures[moment]! > 0]).toEqual([moment, true]);
    expect(figures.bets).toBeGreaterThan(0);
  });
}
