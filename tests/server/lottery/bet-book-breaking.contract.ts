import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { owedOf, type BookWorld } from "./book-world.ts";
import { CROWD, newCrowd, outcomesOf, type Crowd } from "./crowd.ts";

/** Settlements that crash, and settlements that run at once. */
export function describeBreaking(open: () => Promise<BookWorld>): void {
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

  describe("settling that is interrupted", () => {
    const is = (name: string) => (piece?: SettlePiece) => piece !== undefined && name in piece;
    const breaks: [string, (piece?: SettlePiece) => boolean, (credited: number) => boolean][] = [
      ["before anybody was credited", is("bettors"), (credited) => credited === 0],
      ["when some were credited", is("outcomes"), (credited) => credited > 0 && credited < CROWD],
      ["when all were credited", is("settled"), (credited) => credited === CROWD],
    ];

    it.each(breaks)("%s resumes exactly there", async (_, dies, fits) => {
      await crowd.betSurely();
      await w.draw();
      const reported: number[] = [];
      await w.settleUntil(round, (piece) => {
        if (piece && "outcomes" in piece) reported.push(...piece.outcomes.map(({ memberId }) => memberId));
        return dies(piece);
      });
      // The last credits may be committed, and not reported any more.
      const paid = (await crowd.rows()).payouts.map(({ memberId }) => memberId);
      expect(paid).toEqual(expect.arrayContaining(reported));
      expect(fits(paid.length)).toBe(true);
      const rest = outcomesOf(await crowd.settle()).map(({ memberId }) => memberId);
      expect([...paid, ...rest].sort((one, other) => one - other)).toEqual(members);
      await crowd.expectPaidOnce();
    });

    it("with the index half written writes the rest of it", async () => {
      await crowd.betSurely();
      await w.draw();
      let isPaid = false;
      await w.settleUntil(round, (piece) => {
        const dies = isPaid && piece === undefined;
        isPaid ||= is("settled")(piece);
        return dies;
      });
      const { index, round: broken } = await crowd.rows();
      expect([index.length > 0, index.length < 2 * CROWD, broken.indexedAt]).toEqual([true, true, null]);
      expect(await crowd.settle()).toEqual([]);
      await crowd.expectPaidOnce();
    });
  });

  it.each(["one process", "two processes"])("settling a round twice at once in %s pays once", async (who) => {
    await crowd.betSurely();
    const dice = await w.draw();
    const pieces: SettlePiece[] = [];
    const books = [w.book, who === "one process" ? w.book : await w.another()];
    // The second process may give up; the next attempt then does the rest.
    await Promise.allSettled(books.map((book) => book.settle(round, (piece) => pieces.push(piece))));
    pieces.push(...(await crowd.settle()));
    const outcomes = outcomesOf(pieces).sort((a, b) => a.memberId - b.memberId);
    const owed = await owedOf(w, round, dice);
    expect(outcomes.map(({ memberId, win }) => [memberId, win])).toEqual(members.map((id) => [id, owed.get(id)!.win]));
    await crowd.expectPaidOnce();
  });
}
