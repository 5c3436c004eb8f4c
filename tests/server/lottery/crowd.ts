import { and, eq, inArray } from "drizzle-orm";
import { expect } from "vitest";
import {
  betColumns,
  bets,
  houseEntries,
  journalIndex,
  payouts,
  rounds,
  settleRanges,
  wallets,
} from "#db/schema/index.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { orderOf, owedOf, SURE, type BookWorld } from "./book-world.ts";

export const CROWD = 20;

export type Crowd = Awaited<ReturnType<typeof newCrowd>>;

export const outcomesOf = (pieces: SettlePiece[]): MemberOutcome[] =>
  pieces.flatMap((piece) => ("outcomes" in piece ? piece.outcomes : []));

/** A crowd of new members, and an open round without bets. */
export async function newCrowd(w: BookWorld) {
  await w.draw();
  const [round, otherRound] = await w.openRounds();
  const members = await w.members(CROWD);

  /** Every row of this round and its crowd that settling may write. */
  async function rows() {
    const { read } = w.db;
    const [drawn] = await read.select().from(rounds).where(eq(rounds.id, round));
    const ofRound = and(eq(houseEntries.kind, "payouts"), eq(houseEntries.roundId, round));
    return {
      round: drawn!,
      bets: await read.select(betColumns).from(bets).where(eq(bets.roundId, round)).orderBy(bets.id),
      wallets: await read.select().from(wallets).where(inArray(wallets.memberId, members)).orderBy(wallets.memberId),
      payouts: await read.select().from(payouts).where(eq(payouts.roundId, round)).orderBy(payouts.memberId),
      index: await read
        .select()
        .from(journalIndex)
        .where(inArray(journalIndex.memberId, members))
        .orderBy(journalIndex.memberId, journalIndex.version),
      ranges: await read.select().from(settleRanges).where(eq(settleRanges.roundId, round)),
      paidByHouse: await read.select().from(houseEntries).where(ofRound),
    };
  }

  /** Every winner has one credit of what the rules owe, other members have none, and every change is indexed. */
  async function expectPaidOnce(): Promise<void> {
    const { round: settled, bets, wallets, payouts, index, paidByHouse, ranges } = await rows();
    const owed = await owedOf(w, round, settled.dice!);
    const winners = [...owed].filter(([, { win }]) => win > 0).sort(([a], [b]) => a - b);
    expect(payouts.map(({ memberId, amount }) => [memberId, amount])).toEqual(
      winners.map(([id, { win }]) => [id, win]),
    );
    expect(wallets.map(({ memberId, wonTotal, wonDay }) => [memberId, wonTotal, wonDay])).toEqual(
      members.map((id) => [id, owed.get(id)?.win ?? 0, owed.get(id)?.win ?? 0]),
    );
    const paid = winners.reduce((sum, [, { win }]) => sum + win, 0);
    expect(paidByHouse.reduce((sum, { amount }) => sum - amount, 0)).toBe(paid);
    expect(settled).toMatchObject({ paid, betCount: bets.length, settledAt: w.now(), indexedAt: w.now() });
    const indexed = [
      ...bets.map(({ memberId, version, id }) => ({ memberId, version, kind: "bet", rowId: id })),
      ...payouts.map(({ memberId, version }) => ({ memberId, version, kind: "payout", rowId: round })),
    ];
    expect(index).toEqual(indexed.sort((a, b) => a.memberId - b.memberId || a.version - b.version));
    expect(ranges).toEqual([]);
  }

  return {
    round,
    otherRound,
    members,
    rows,
    expectPaidOnce,
    /** One bet of each member, which wins whatever the dice. */
    betSurely: () => w.book.place(members.map((memberId) => orderOf(memberId, round, SURE))),
    async settle(book = w.book): Promise<SettlePiece[]> {
      const pieces: SettlePiece[] = [];
      await book.settle(round, (piece) => pieces.push(piece));
      return pieces;
    },
  };
}
