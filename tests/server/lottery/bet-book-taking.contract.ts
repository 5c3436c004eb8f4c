import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bets, odds, rounds, wallets } from "#db/schema/index.ts";
import { HUNDRED, orderOf, refusalsOf, rowsOf, takenOf, type BookWorld } from "./book-world.ts";

/** What a batch accepts, and which rows it writes. */
export function describeTaking(open: () => Promise<BookWorld>): void {
  let w: BookWorld;
  let round: number;
  let otherRound: number;
  let mia: number;
  let tom: number;
  let before: Awaited<ReturnType<typeof rowsOf>>;

  beforeAll(async () => {
    w = await open();
    [round, otherRound] = await w.openRounds();
  });
  beforeEach(async () => {
    [mia, tom] = (await w.members(2)) as [number, number];
    before = await rowsOf(w);
  });
  afterAll(() => w.end());

  const walletOf = async (memberId: number) =>
    (await w.db.read.select().from(wallets).where(eq(wallets.memberId, memberId)))[0]!;
  const roundRow = async () => (await w.db.read.select().from(rounds).where(eq(rounds.id, round)))[0]!;

  /** The rows that this test has written. */
  async function readTaken() {
    const { bets, house } = await rowsOf(w);
    return { bets: bets.slice(before.bets.length), house: house.slice(before.house.length) };
  }

  describe("taking a batch", () => {
    it("answers each order on its own, in order of arrival", async () => {
      await w.db.transact((tx) => tx.update(wallets).set({ frozen: true }).where(eq(wallets.memberId, tom)));
      const first = orderOf(mia, round);
      const answers = await w.book.place([
        first,
        orderOf(tom, round),
        orderOf(mia, 999),
        orderOf(mia, otherRound, HUNDRED),
        first,
        orderOf(mia, round, { total: 100_000 }),
      ]);
      const { bets, house } = await readTaken();
      const [one, two] = bets.map(({ id }) => id);
      // On PostgreSQL a member's second bet is a commit of its own.
      const [begun, ended] = [house[0]!, house.at(-1)!].map(({ id, createdAt: at }) => ({ id, at, logKey: 1 }));
      expect(answers).toEqual([
        { betId: one, balance: 98_000, version: 1, fresh: true, commit: begun },
        { refused: "member.locked" },
        { refused: "round.closed" },
        { betId: two, balance: 88_000, version: 2, fresh: true, commit: ended },
        { betId: one, balance: 98_000, version: 1, fresh: false, commit: null },
        { refused: "balance.insufficient" },
      ]);
    });

    it("records the member, the bet, its odds and the balance after it", async () => {
      const order = orderOf(mia, round);
      const [{ betId } = { betId: 0 }] = takenOf(await w.book.place([order]));
      const { mask, stake, total } = order;
      const written = { id: betId, memberId: mia, roundId: round, mask, stake, total };
      const after = { oddsId: (await roundRow()).oddsId, version: 1, balanceAfter: 98_000, createdAt: w.now() };
      expect((await readTaken()).bets).toEqual([{ ...written, ...after }]);
      expect(await walletOf(mia)).toMatchObject({ balance: 98_000, version: 1, stakedTotal: 2_000, stakedDay: 2_000 });
    });

    it("uses the odds with which the round was opened", async () => {
      const { gameId, oddsId } = await roundRow();
      const milli = Array.from({ length: 20 }, () => 1_000);
      await w.db.transact((tx) => tx.insert(odds).values({ gameId, milli, createdAt: w.now() }));
      await w.book.place([orderOf(mia, round)]);
      expect((await readTaken()).bets[0]!.oddsId).toBe(oddsId);
    });

    it("makes every bet durable before it answers", async () => {
      const seen = Array.from({ length: 12 }, async () => {
        const answers = await w.book.place([orderOf(mia, round), orderOf(tom, round)]);
        const ids = takenOf(answers).map(({ betId }) => betId);
        return w.db.snapshot((read) => read.select().from(bets).where(inArray(bets.id, ids)));
      });
      for (const found of await Promise.all(seen)) expect(found).toHaveLength(2);
    });

    it("counts a wallet's versions without a gap", async () => {
      const both = () => [mia, tom, mia].map((memberId) => orderOf(memberId, round));
      const process = await w.another();
      await Promise.all([w.book, process, w.book, process].map((book) => book.place(both())));
      for (const memberId of [mia, tom]) {
        const own = (await readTaken()).bets.filter((bet) => bet.memberId === memberId);
        expect(own.map(({ version }) => version)).toEqual(own.map((_, i) => i + 1));
        expect(own.map(({ balanceAfter }) => balanceAfter)).toEqual(own.map((_, i) => 100_000 - 2_000 * (i + 1)));
        expect(await walletOf(memberId)).toMatchObject({ version: own.length, balance: own.at(-1)!.balanceAfter });
      }
    });

    it("gives the house one entry per commit, the exact sum of its bets", async () => {
      const batch = () => [orderOf(mia, round), orderOf(tom, 999), orderOf(tom, otherRound, HUNDRED)];
      await Promise.all([w.book.place(batch()), w.book.place(batch()), w.book.place(batch())]);
      await w.book.place([orderOf(tom, 999)]);
      const { bets, house } = await readTaken();
      expect(bets).toHaveLength(6);
      const covered = house.flatMap(({ kind, amount, fromId, toId }) => {
        const own = bets.filter(({ id }) => id >= fromId && id <= toId);
        expect([kind, amount]).toEqual(["bets", own.reduce((sum, { total }) => sum + total, 0)]);
        return own.map(({ id }) => id);
      });
      // Commits side by side take their bets' numbers in one order and their entry's in another.
      expect(covered.toSorted((a, b) => a - b)).toEqual(bets.map(({ id }) => id));
    });
  });

  describe("a member's idempotency key", () => {
    const keyed = (memberId: number, over: object = {}) => orderOf(memberId, round, { key: "tap", ...over });
    const otherwise = { ...HUNDRED, requestHash: "asked otherwise" };

    it("is one bet within a batch, and repeats its answer", async () => {
      const answers = await w.book.place([keyed(mia), keyed(mia), orderOf(mia, round), keyed(mia)]);
      const [first, ...others] = (await readTaken()).bets;
      const again = { betId: first!.id, balance: 98_000, version: 1, fresh: false, commit: null };
      const commit = expect.objectContaining({ at: first!.createdAt });
      expect([answers[0], answers[1], answers[3]]).toEqual([{ ...again, fresh: true, commit }, again, again]);
      expect(others).toHaveLength(1);
    });

    it("is one bet across batches, also when the balance is gone", async () => {
      const [first] = await w.book.place([keyed(mia)]);
      await w.book.place([orderOf(mia, round, { total: 98_000 })]);
      expect(await w.book.place([keyed(mia)])).toEqual([{ ...first, fresh: false, commit: null }]);
      expect((await readTaken()).bets).toHaveLength(2);
    });

    it("is one bet when forty requests reach several processes at once", async () => {
      const process = await w.another();
      const books = Array.from({ length: 40 }, (_, i) => (i % 2 ? process : w.book));
      const taken = takenOf((await Promise.all(books.map((book) => book.place([keyed(mia)])))).flat());
      expect(taken).toHaveLength(40);
      expect(new Set(taken.map(({ betId }) => betId)).size).toBe(1);
      expect(taken.filter(({ fresh }) => fresh)).toHaveLength(1);
      expect((await walletOf(mia)).balance).toBe(98_000);
    });

    it("is refused with another request, in the same batch and in a later one", async () => {
      expect(refusalsOf(await w.book.place([keyed(mia), keyed(mia, otherwise)]))).toEqual(["key.reused"]);
      expect(refusalsOf(await w.book.place([keyed(mia, otherwise)]))).toEqual(["key.reused"]);
      expect((await walletOf(mia)).balance).toBe(98_000);
      expect((await readTaken()).bets).toHaveLength(1);
    });

    it("is separate from other members' keys", async () => {
      const answers = await w.book.place([keyed(mia), keyed(tom, otherwise)]);
      expect(takenOf(answers).map(({ fresh }) => fresh)).toEqual([true, true]);
    });

    it("can be used again after a refusal", async () => {
      expect(refusalsOf(await w.book.place([keyed(mia, { total: 100_001 })]))).toEqual(["balance.insufficient"]);
      expect(takenOf(await w.book.place([keyed(mia, otherwise)]))).toHaveLength(1);
    });

    it("is optional: orders without one are each a bet", async () => {
      const answers = await w.book.place([1, 2, 3].map(() => keyed(mia, { key: null, requestHash: "" })));
      expect(takenOf(answers).map(({ fresh }) => fresh)).toEqual([true, true, true]);
      expect((await walletOf(mia)).balance).toBe(94_000);
    });
  });

  describe("an impossible order", () => {
    // No member has this number, and no row can hold such a choice.
    const poisons = Object.entries({ "of nobody": { memberId: 999_999 }, "of nothing": { mask: null } });

    it.each(poisons)("%s fails alone", async (_, over) => {
      const poisoned = { ...orderOf(tom, round), ...(over as object) };
      const last = orderOf(mia, round);
      const batch = [orderOf(mia, round), poisoned, orderOf(tom, round), last, last];
      const answers = await w.book.place(batch);
      expect(refusalsOf(answers)).toEqual(["server.fault"]);
      expect(answers.map((answer) => "betId" in answer && [answer.version, answer.fresh])).toEqual([
        [1, true],
        false,
        [1, true],
        [2, true],
        [2, false],
      ]);
      const { bets, house } = await readTaken();
      expect(bets.map(({ memberId }) => memberId)).toEqual([mia, tom, mia]);
      expect(house.reduce((sum, { amount }) => sum + amount, 0)).toBe(6_000);
    });

    it.each(poisons)("%s gets no answer when it comes alone, and does not stop the next", async (_, over) => {
      await expect(w.book.place([{ ...orderOf(tom, round), ...(over as object) }])).rejects.toBeInstanceOf(Error);
      expect(await readTaken()).toEqual({ bets: [], house: [] });
      expect(takenOf(await w.book.place([orderOf(tom, round)]))).toHaveLength(1);
      expect((await walletOf(tom)).balance).toBe(98_000);
    });
  });
}
