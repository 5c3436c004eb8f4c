import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { betColumns, bets, rounds, settleRanges } from "#db/schema/index.ts";
import type { BetOrder } from "#server/domains/lottery/bet-book.ts";
import { fromUnits } from "#shared/money.ts";
import { orderOf, takenOf, type BookWorld } from "./book-world.ts";

const ALL = 2n ** 63n - 1n;
const MASKS = [...Array.from({ length: 63 }, (_, bit) => 1n << BigInt(bit)), 2n ** 53n + 1n, 2n ** 62n + 1n, ALL];

/** Masks of the full width, in any kind of game. */
export function describeWide(open: () => Promise<BookWorld>): void {
  let w: BookWorld;
  let round: number;
  let orders: BetOrder[];
  let taken: number;

  beforeAll(async () => {
    w = await open();
    [round] = await w.openRounds();
    const [mia] = await w.members(1);
    orders = MASKS.map((mask) => orderOf(mia!, round, { mask, stake: fromUnits(1) }));
    taken = takenOf(await w.book.place(orders)).length;
  });
  afterAll(() => w.end());

  describe("a mask of up to 63 bits", () => {
    it("is written and read exactly to the last bit", async () => {
      expect(taken).toBe(MASKS.length);
      const rows = await w.db.read.select(betColumns).from(bets).orderBy(bets.id);
      expect(rows.map(({ mask, total }) => [mask, total])).toEqual(orders.map(({ mask, total }) => [mask, total]));
    });

    it("cannot be read from its bare column where that would not be exact", async () => {
      const wide = w.db.snapshot((read) => read.select().from(bets).where(eq(bets.id, MASKS.length)));
      await expect(wide).rejects.toThrow(/exactly|Failed query/);
    });

    it("fails the round, and no member is paid, where it names an option that the kind does not have", async () => {
      await w.draw();
      const pieces: unknown[] = [];
      await w.book.settle(round, (piece) => pieces.push(piece));
      expect(pieces).toEqual([{ failed: "bet 21 took 100, not its stakes" }]);
      const [row] = await w.db.read.select().from(rounds).where(eq(rounds.id, round));
      expect(row).toMatchObject({ failure: "bet 21 took 100, not its stakes", settledAt: null });
      expect(await w.db.read.select().from(settleRanges)).toEqual([]);
    });
  });
}
