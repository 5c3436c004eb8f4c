import { describe, expect, it } from "vitest";
import "../support/failpoints.ts";
import { torture } from "./kills.ts";
import { refuseFaults } from "./judge.ts";

const SEED = 5;

/** A short form of `npm run torture`. */
export function kills(count = 12): void {
  describe(`${count} kills at steps and at any moment, under load of every kind`, () => {
    it("leave exactly what anybody was told, in an order that explains it", { timeout: 1_200_000 }, async () => {
      const { faults, figures } = await torture({ kills: count, seed: SEED, say: () => {} });
      refuseFaults(faults);
      expect(figures.kills).toBeGreaterThanOrEqual(count);
      for (const kind of ["bets", "spins", "topUps", "withdrawals", "plans", "uploads", "commands", "unanswered"])
        expect([kind, figures[kind]! > 0]).toEqual([kind, true]);
    });
  });
}
