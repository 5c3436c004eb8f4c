import { and, asc, between, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betColumns, bets, games, odds, payouts, rounds, settleRanges } from "#db/schema/index.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { isSettledIn } from "#server/domains/lottery/settle-ranges.ts";
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
import type { LoggedRound, LogRounds } from "./log-rounds.ts";
import { pagesOf } from "./pages.ts";
import { partsOf } from "./parts.ts";

type Round = typeof rounds.$inferSelect;

/**
 * Recomputes every member's win in every round from bets, odds and dice, and compares it with the payout. `orders` is the
 * number of all bets.
 */
export async function auditPayouts(read: Tx, orders: number, logged: LogRounds | null, found: Findings): Promise<void> {
  const published = new Map((await read.select().from(odds).orderBy(asc(odds.id))).map((row) => [row.id, row]));
  // A clock that was set back opens rounds before the time at which their game began, with its first odds.
  const firstOdds = new Map([...published.values()].reverse().map(({ gameId, id }) => [gameId, id]));
  const oddsById = new Map([...published].map(([id, { milli }]) => [id, milli as OddsMilli]));
  const kinds = new Map((await read.select().from(games)).map(({ id, kind }) => [id, rulesOf(kind)]));
  const step = stepOf(await readUnit(read));
  const page = (after: number, limit: number) =>
    read.select().from(rounds).where(gt(rounds.id, after)).orderBy(asc(rounds.id)).limit(limit);
  let inRounds = 0;
  for await (const { round, said } of withLog(page, logged)) {
    const own = published.get(round.oddsId);
    found.check(
      own?.gameId === round.gameId && (own.createdAt <= round.openedAt || firstOdds.get(own.gameId) === own.id),
      () => `round ${round.id}: its odds ${round.oddsId} were not those of its game when it opened`,
    );
    const due = await dueOf(read, round, { rules: kinds.get(round.gameId)!, oddsById, step, said }, found);
    const rows = await read.select().from(payouts).where(eq(payouts.roundId, round.id));
    await said?.check(rows);
    const paid = new Map(rows.map(({ memberId, amount }) => [memberId, amount]));
    for (const memberId of new Set([...due.members.keys(), ...paid.keys()])) {
      const [owed, got] = [due.members.get(memberId) ?? 0, paid.get(memberId) ?? 0];
      found.check(owed === got, () => `round ${round.id}, member ${memberId}: won ${owed}, was paid ${got}`);
    }
    inRounds += due.bets;
    // They are written when the round is settled.
    const sums = (round.settledAt === null ? [0, 0, 0] : [due.bets, due.staked, due.paid]).join();
    const says = [round.betCount, round.staked, round.paid].join();
    found.check(sums === says, () => `round ${round.id}: bets, stakes and payouts are ${sums}, the round has ${says}`);
  }
  found.check(inRounds === orders, () => `${orders - inRounds} bets lie outside the numbers of their rounds`);
}

/** Rounds whose leaves are read at once. */
const ROUNDS = 250;

/** Each round, with what the log says of it. */
async function* withLog(page: Parameters<typeof pagesOf<Round>>[0], logged: LogRounds | null) {
  for await (const rows of pagesOf(page)) {
    for (const some of partsOf(rows, ROUNDS)) {
      const said = await logged?.of(some);
      for (const round of some) yield { round, said: said?.get(round.id) };
    }
  }
}

type Bet = Pick<typeof bets.$inferSelect, "id" | "oddsId" | "createdAt"> & { mask: bigint };

function checkBet(bet: Bet, round: Round, rules: Rules, found: Findings): void {
  found.check(bet.createdAt < round.closesAt, () => `bet ${bet.id} was taken after its round had closed`);
  const isOwn = bet.oddsId === round.oddsId;
  found.check(isOwn, () => `bet ${bet.id} has the odds ${bet.oddsId}, its round has ${round.oddsId}`);
  found.check(isMask(rules, bet.mask), () => `bet ${bet.id} is on an option that its game does not have`);
}

/** What a round's bets are asked by. */
interface Terms {
  rules: Rules;
  oddsById: Map<number, OddsMilli>;
  step: Money;
  said: LoggedRound | undefined;
}

/** Who is settled in a round. */
async function readSettled(read: Tx, { id, settledAt }: Round): Promise<(memberId: number) => boolean> {
  if (settledAt !== null) return () => true;
  const ranges = await read.select().from(settleRanges).where(eq(settleRanges.roundId, id));
  return (memberId) => isSettledIn(ranges, memberId);
}

/** What members have won, as far as the round is settled. */
async function dueOf(read: Tx, round: Round, { rules, oddsById, step, said }: Terms, found: Findings) {
  const due = { members: new Map<number, number>(), bets: 0, staked: 0, paid: 0 };
  const { dice, fromBet, toBet, refundedAt } = round;
  const isSettled = await readSettled(read, round);
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
  for await (const rows of pagesOf(page)) {
    await said?.addBets(rows);
    for (const bet of rows) {
      checkBet(bet, round, rules, found);
      due.bets++;
      due.staked += bet.total;
      const owed = () => {
        if (refundedAt !== null) return bet.total;
        return dice ? payoutAmong(winnersAt(dice, bet.oddsId), bet, step) : 0;
      };
      const win = isSettled(bet.memberId) ? owed() : 0;
      due.paid += win;
      if (win) due.members.set(bet.memberId, (due.members.get(bet.memberId) ?? 0) + win);
    }
  }
  return due;
}
