import { and, asc, between, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betColumns, bets, games, odds, payouts, rounds } from "#db/schema/index.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import {
  isDraw,
  isMask,
  payoutAmong,
  winnersOf,
  type OddsMilli,
  type Rules,
  type Winner,
} from "#shared/lottery/rules.ts";
import type { Money } from "#shared/money.ts";
import { stepOf } from "#shared/unit.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type Round = typeof rounds.$inferSelect;

/** Recomputes every member's win in every round from bets, odds and dice, and compares it with the payout. */
export async function auditPayouts(read: Tx, found: Findings): Promise<void> {
  const oddsById = new Map((await read.select().from(odds)).map(({ id, milli }) => [id, milli as OddsMilli]));
  const kinds = new Map((await read.select().from(games)).map(({ id, kind }) => [id, rulesOf(kind)]));
  const step = stepOf(await readUnit(read));
  const page = (after: number, limit: number) =>
    read.select().from(rounds).where(gt(rounds.id, after)).orderBy(asc(rounds.id)).limit(limit);
  for await (const round of inPages(page)) {
    const due = await dueOf(read, round, { rules: kinds.get(round.gameId)!, oddsById, step }, found);
    const rows = await read.select().from(payouts).where(eq(payouts.roundId, round.id));
    const paid = new Map(rows.map(({ memberId, amount }) => [memberId, amount]));
    for (const memberId of new Set([...due.members.keys(), ...paid.keys()])) {
      const [owed, got] = [due.members.get(memberId) ?? 0, paid.get(memberId) ?? 0];
      found.check(owed === got, () => `round ${round.id}, member ${memberId}: won ${owed}, was paid ${got}`);
    }
    if (round.settledAt === null) continue;
    const sums = [due.bets, due.staked, due.paid].join();
    const says = [round.betCount, round.staked, round.paid].join();
    found.check(sums === says, () => `round ${round.id}: bets, stakes and payouts are ${sums}, it says ${says}`);
  }
}

/** The fence is a row number. The times must agree with it, unless the clock was ahead when the bets were taken. */
function isBeforeFence(createdAt: number, { closedAt, closesAt }: Round): boolean {
  return closedAt === null || closedAt < closesAt || createdAt <= closedAt;
}

/** What members have won, as far as the round is settled. */
async function dueOf(
  read: Tx,
  round: Round,
  { rules, oddsById, step }: { rules: Rules; oddsById: Map<number, OddsMilli>; step: Money },
  found: Findings,
) {
  const due = { members: new Map<number, number>(), bets: 0, staked: 0, paid: 0 };
  const { dice, fromBet, toBet, settledAt, settledTo } = round;
  found.check(dice === null || isDraw(rules, dice), () => `round ${round.id}: ${dice?.join()} is no draw of its kind`);
  const winners = new Map<number, Winner[]>();
  const winnersAt = (draw: number[], oddsId: number) => {
    let won = winners.get(oddsId);
    if (!won) winners.set(oddsId, (won = winnersOf(rules, draw, oddsById.get(oddsId)!)));
    return won;
  };
  const page = (after: number, limit: number) =>
    read
      .select(betColumns)
      .from(bets)
      .where(
        and(
          between(bets.id, Math.max(fromBet, after + 1), toBet ?? Number.MAX_SAFE_INTEGER),
          eq(bets.roundId, round.id),
        ),
      )
      .orderBy(asc(bets.id))
      .limit(limit);
  for await (const bet of inPages(page)) {
    const inTime = bet.createdAt < round.closesAt && isBeforeFence(bet.createdAt, round);
    found.check(inTime, () => `bet ${bet.id} was taken after its round had closed`);
    found.check(isMask(rules, bet.mask), () => `bet ${bet.id} is on an option that its game has not`);
    due.bets++;
    due.staked += bet.total;
    const isSettled = dice && (settledAt !== null || bet.memberId <= settledTo);
    const win = isSettled ? payoutAmong(winnersAt(dice, bet.oddsId), bet, step) : 0;
    due.paid += win;
    if (win) due.members.set(bet.memberId, (due.members.get(bet.memberId) ?? 0) + win);
  }
  return due;
}
