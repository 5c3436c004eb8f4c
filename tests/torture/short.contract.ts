import { describe, expect, it } from "vitest";
import "../support/failpoints.ts";
import { torture } from "./kills.ts";
import { refuseFaults } from "./judge.ts";

/** Files lie in a folder, and in a bucket. */
const SEED = { folder: 5, bucket: 6 };

/** A short form of `npm run torture`. */
export function kills(count: number, files: keyof typeof SEED): void {
  describe(`${count} kills at steps and at any moment, under load of every kind, with files in a ${files}`, () => {
    it("leave exactly what anybody was told, in an order that explains it", { timeout: 1_200_000 }, async () => {
      const { faults, figures } = await torture({ kills: count, seed: SEED[files], say: () => {} });
      refuseFaults(faults);
      expect(figures.kills).toBeGreaterThanOrEqual(count);
      expect((figures.inBucket ?? 0) > 0).toBe(files === "bucket");
      for (const kind of ["bets", "spins", "topUps", "withdrawals", "plans", "uploads", "commands", "unanswered"])
        expect([kind, figures[kind]! > 0]).toEqual([kind, true]);
    });
  });
}
