import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { payouts } from "#db/schema/index.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import { maskOf } from "#shared/lottery/rules.ts";
import { fromUnits } from "#shared/money.ts";
import { dicer } from "../../support/recompute.ts";
import { orderOf, owedOf, RULES, SURE, takenOf, type BookWorld } from "./book-world.ts";
import { CROWD, newCrowd, outcomesOf, type Crowd } from "./crowd.ts";

/** What a drawn round pays, to whom, and how often. */
export function describeSettling(open: () => Promise<BookWorld>): void {
  let w: BookWorld;
  let crowd: Crowd;
  let members: number[];
  let round: number;

  beforeAll(async () => {
    w = await open();
  });
  beforeEach(async () => {
    crowd = await newCrowd(w);
    ({ members, round } = crowd);
  });
  afterAll(() => w.end());

  /** Many kinds of bets, among bets on the other game. */
  async function betAnyhow(): Promise<void> {
    const random = dicer(round);
    for (let batch = 0; batch < 4; batch++) {
      const orders = Array.from({ length: 30 }, () => {
        const types = RULES.options.map(({ type }) => type).filter(() => random() < 0.2);
        const mask = maskOf(RULES, types.length ? types : ["10"]);
        const stake = fromUnits(1 + Math.floor(random() * 9));
        const memberId = members[Math.floor(random() * CROWD)]!;
        return orderOf(memberId, random() < 0.3 ? crowd.otherRound : round, { mask, stake });
      });
      expect(takenOf(await w.book.place(orders))).toHaveLength(30);
    }
  }

  describe("settling a round", () => {
    it("credits each winner once with the rounded-down stake times odds of every winning option", async () => {
      await betAnyhow();
      const before = new Map((await crowd.rows()).wallets.map((wallet) => [wallet.memberId, wallet]));
      const owed = await owedOf(w, round, await w.draw());
      expect([...owed.values()].filter(({ win }) => win > 0).length).toBeGreaterThan(1);
      await crowd.settle();
      const { wallets, payouts } = await crowd.rows();
      for (const { memberId, balance, version } of wallets) {
        const win = owed.get(memberId)?.win ?? 0;
        const old = before.get(memberId)!;
        expect([balance, version]).toEqual([old.balance + win, old.version + (win ? 1 : 0)]);
        const credits = payouts.filter((payout) => payout.memberId === memberId);
        const credit = { roundId: round, memberId, amount: win, version, balanceAfter: balance, createdAt: w.now() };
        expect(credits).toEqual(win ? [credit] : []);
      }
      await crowd.expectPaidOnce();
    });

    it("reports the bettors, then each member's bets with their wins, losers too, then the totals", async () => {
      await betAnyhow();
      const owed = await owedOf(w, round, await w.draw());
      const [counted, ...rest] = await crowd.settle();
      const bettors = [...owed.keys()].sort((a, b) => a - b);
      expect(counted).toEqual({ bettors: Float64Array.from(bettors) });
      const outcomes = outcomesOf(rest);
      expect(outcomes.map(({ memberId }) => memberId)).toEqual(bettors);
      for (const { memberId, bets, win } of outcomes) expect({ bets, win }).toEqual(owed.get(memberId));
      const { bets } = await crowd.rows();
      const staked = bets.reduce((sum, { total }) => sum + total, 0);
      const paid = outcomes.reduce((sum, { win }) => sum + win, 0);
      expect(rest.at(-1)).toEqual({ settled: { bets: bets.length, members: bettors.length, staked, paid } });
      expect((await crowd.rows()).round).toMatchObject({ betCount: bets.length, staked, paid });
    });

    it("commits a credit before it reports it", async () => {
      await crowd.betSurely();
      await w.draw();
      const looks: Promise<number>[] = [];
      const look = async (outcomes: MemberOutcome[]) => {
        const paid = await w.db.snapshot((read) => read.select().from(payouts).where(eq(payouts.roundId, round)));
        for (const { memberId, win, balance, version } of outcomes) {
          const credit = { amount: win, balanceAfter: balance, version };
          expect(paid.find((payout) => payout.memberId === memberId)).toMatchObject(credit);
        }
        return outcomes.length;
      };
      await w.book.settle(round, (piece) => void ("outcomes" in piece && looks.push(look(piece.outcomes))));
      expect((await Promise.all(looks)).reduce((sum, count) => sum + count, 0)).toBe(CROWD);
    });

    it("ends at once when there are no bets", async () => {
      await w.draw();
      expect(outcomesOf(await crowd.settle())).toEqual([]);
      await crowd.expectPaidOnce();
    });

    it("is refused before the draw, and pays nothing", async () => {
      await betAnyhow();
      const before = await crowd.rows();
      await expect(crowd.settle()).rejects.toBeInstanceOf(Error);
      expect(await crowd.rows()).toEqual(before);
    });

    it("pays once, however often it is done", async () => {
      await betAnyhow();
      await w.draw();
      await crowd.settle();
      const before = await crowd.rows();
      expect(await crowd.settle()).toEqual([]);
      expect(await crowd.settle(await w.another())).toEqual([]);
      expect(await crowd.rows()).toEqual(before);
    });

    it("allows bets on the next round meanwhile", async () => {
      await crowd.betSurely();
      await w.draw();
      const [next] = await w.openRounds();
      const settling = crowd.settle();
      const answers = await w.book.place(members.map((memberId) => orderOf(memberId, next, SURE)));
      await settling;
      expect(takenOf(answers)).toHaveLength(CROWD);
      const { wallets } = await crowd.rows();
      expect(wallets.map(({ version }) => version)).toEqual(members.map(() => 3));
    });
  });
}
