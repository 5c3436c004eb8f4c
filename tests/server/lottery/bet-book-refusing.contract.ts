import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { betKeys, wallets } from "#db/schema/index.ts";
import type { BetAnswer } from "#server/domains/lottery/bet-book.ts";
import { fromUnits } from "#shared/money.ts";
import { DAY_MS } from "#shared/time.ts";
import { CLOSES_AFTER_MS, HUNDRED, orderOf, refusalsOf, rowsOf, takenOf, type BookWorld } from "./book-world.ts";

/** Bets that a wallet or a round refuses, without a trace. */
export function describeRefusing(open: () => Promise<BookWorld>): void {
  let w: BookWorld;
  let round: number;
  let mia: number;
  let tom: number;

  beforeEach(async () => {
    w = await open();
    [round] = await w.openRounds();
    [mia, tom] = (await w.members(2)) as [number, number];
  });
  afterEach(() => w.end());

  const walletOf = async (memberId: number) =>
    (await w.db.read.select().from(wallets).where(eq(wallets.memberId, memberId)))[0]!;
  const change = (memberId: number, values: Partial<typeof wallets.$inferInsert>) =>
    w.db.transact((tx) => tx.update(wallets).set(values).where(eq(wallets.memberId, memberId)));
  const traces = async (memberId: number) => [
    await walletOf(memberId),
    await rowsOf(w),
    await w.db.read.select().from(betKeys),
  ];
  const take = async (over: object = HUNDRED) => takenOf(await w.book.place([orderOf(mia, round, over)])).length;

  /** Why one order was refused. The refusal must leave no trace. */
  async function refused(over: object, memberId = mia): Promise<string | undefined> {
    const before = await traces(memberId);
    const answers = await w.book.place([orderOf(memberId, round, over)]);
    expect(await traces(memberId)).toEqual(before);
    return refusalsOf(answers)[0];
  }

  describe("a wallet", () => {
    it("is never overdrawn within one batch", async () => {
      const answers = await w.book.place(Array.from({ length: 60 }, () => orderOf(mia, round, HUNDRED)));
      expect(takenOf(answers)).toHaveLength(10);
      expect(new Set(refusalsOf(answers))).toEqual(new Set(["balance.insufficient"]));
      expect(await walletOf(mia)).toMatchObject({ balance: 0, version: 10 });
      expect(await refused({ stake: fromUnits(1) })).toBe("balance.insufficient");
    });

    it("is never overdrawn by concurrent batches of several processes", async () => {
      const process = await w.another();
      const batch = () => Array.from({ length: 10 }, () => orderOf(mia, round, HUNDRED));
      const books = [w.book, process, w.book, process, w.book, process];
      const answers = (await Promise.all(books.map((book) => book.place(batch())))).flat();
      expect(takenOf(answers)).toHaveLength(10);
      expect(await walletOf(mia)).toMatchObject({ balance: 0, version: 10 });
      expect((await rowsOf(w)).bets).toHaveLength(10);
    });

    it("pays for no bet while its member is locked or on a break", async () => {
      await change(mia, { frozen: true });
      expect(await refused({})).toBe("member.locked");
      await change(mia, { frozen: false, excludedUntil: w.now() + 1_000 });
      w.pass(999);
      expect(await refused({})).toBe("member.excluded");
      w.pass(1);
      expect(await take()).toBe(1);
    });

    it("stays within each of its limits, also inside one batch", async () => {
      const names = ["limitStakeDay", "limitStakeWeek", "limitStakeMonth"] as const;
      const losses = ["limitLossDay", "limitLossWeek", "limitLossMonth"] as const;
      for (const limit of [...names, ...losses]) {
        [mia] = (await w.members(1)) as [number];
        await change(mia, { [limit]: fromUnits(250) });
        const answers = await w.book.place([1, 2, 3].map(() => orderOf(mia, round, HUNDRED)));
        expect([limit, takenOf(answers).length, refusalsOf(answers)]).toEqual([limit, 2, ["limit.reached"]]);
        expect(await refused(HUNDRED)).toBe("limit.reached");
        expect(await take({ stake: fromUnits(25) })).toBe(1);
      }
    });

    it("counts wins towards its loss limit, and no stake of another day towards today's limits", async () => {
      await change(mia, { limitLossDay: fromUnits(100) });
      expect(await take()).toBe(1);
      expect(await refused(HUNDRED)).toBe("limit.reached");
      await change(mia, { wonDay: fromUnits(100) });
      expect(await take()).toBe(1);
      expect(await refused(HUNDRED)).toBe("limit.reached");
      await change(mia, { day: (await walletOf(mia)).day - 1 });
      expect(await take()).toBe(1);
      expect(await walletOf(mia)).toMatchObject({ stakedDay: fromUnits(100), wonDay: 0, stakedTotal: fromUnits(300) });
    });
  });

  describe("a round", () => {
    it("accepts bets to the last millisecond and none from its closing moment on", async () => {
      w.pass(CLOSES_AFTER_MS - 1);
      expect(await take()).toBe(1);
      w.pass(1);
      expect(await refused({})).toBe("round.closed");
    });

    it("accepts none once it is closed, whatever the clock says then", async () => {
      w.pass(CLOSES_AFTER_MS);
      await w.close();
      w.pass(-DAY_MS);
      expect(await refused({})).toBe("round.closed");
      w.pass(DAY_MS);
      await w.draw();
      expect(await refused({})).toBe("round.closed");
    });

    it("answers a known idempotency key after its close too", async () => {
      const order = orderOf(mia, round);
      const [first] = await w.book.place([order]);
      w.pass(CLOSES_AFTER_MS);
      await w.close();
      expect(await w.book.place([order])).toEqual([{ ...first, fresh: false, commit: null }]);
    });

    it("refuses because of a lock or a break before it refuses because it is closed", async () => {
      w.pass(CLOSES_AFTER_MS);
      await change(mia, { frozen: true });
      await change(tom, { excludedUntil: w.now() + 1 });
      expect([await refused({}), await refused({}, tom)]).toEqual(["member.locked", "member.excluded"]);
    });

    it("has every bet that was accepted before its close, and none after", async () => {
      const process = await w.another();
      const answers: BetAnswer[] = [];
      // Each goes on until it is refused: who stopped earlier might have bet before the close alone.
      const bettor = async (book: BookWorld["book"]) => {
        for (;;) {
          const some = await book.place([mia, tom].map((memberId) => orderOf(memberId, round, { stake: 1 })));
          answers.push(...some);
          if (refusalsOf(some).length > 0) return;
        }
      };
      const bettors = [w.book, process, w.book].map(bettor);
      await w.book.place([orderOf(tom, round)]);
      w.pass(CLOSES_AFTER_MS);
      await w.close();
      await Promise.all(bettors);
      const { bets, rounds } = await rowsOf(w);
      expect(bets).toHaveLength(takenOf(answers).length + 1);
      expect(bets.at(-1)!.id).toBe(rounds[0]!.toBet);
      expect(bets.every(({ createdAt }) => createdAt < rounds[0]!.closesAt)).toBe(true);
      expect(new Set(refusalsOf(answers))).toEqual(new Set(["round.closed"]));
    });
  });
}
