import { and, inArray, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { rounds, settleRanges } from "#db/schema/lottery.ts";
import { isSettledFor } from "#server/domains/ledger/bet-rows.ts";
import { readUnindexed } from "#server/domains/ledger/journal.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { toDecimal } from "#shared/money.ts";

/** The four figures since the beginning. Stakes count once their round is settled. */
export async function readReport(read: Tx, memberId: number) {
  const wallet = await readWallet(read, memberId);
  const unindexed = await readUnindexed(read, memberId);
  // Bets placed after the wallet was read are not in its total either.
  const bets = unindexed.filter(({ version }) => version <= wallet.version);
  const roundIds = [...new Set(bets.map(({ roundId }) => roundId))];
  const running = roundIds.length ? await readRunning(read, roundIds, memberId) : [];
  const open = new Set(running.map(({ id }) => id));
  const unsettled = bets.reduce((sum, { roundId, total }) => sum + (open.has(roundId) ? total : 0), 0);
  return {
    play_money: toDecimal(wallet.stakedTotal - unsettled),
    recharge: toDecimal(wallet.depositedTotal),
    withdrawal: toDecimal(wallet.withdrawnTotal),
    win_money: toDecimal(wallet.wonTotal),
  };
}

/** The rounds in which a member is not settled yet. */
function readRunning(read: Tx, roundIds: number[], memberId: number) {
  return read
    .select({ id: rounds.id })
    .from(rounds)
    .leftJoin(settleRanges, isSettledFor(rounds.id, memberId))
    .where(and(inArray(rounds.id, roundIds), isNull(rounds.settledAt), isNull(settleRanges.settledTo)));
}
