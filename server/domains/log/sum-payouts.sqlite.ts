import type { JobContext } from "#db/sqlite/writer.ts";
import { salter } from "./read-salts.sqlite.ts";
import { BetCount, bettorPage, payoutPage, PayoutSum } from "./sum-payouts.ts";
import type { BettorRow, PayoutRow, RoundToSum, SummedPayouts } from "./sum-payouts.ts";

/** Sums the payouts of a settled round, a page at a time. */
export function* sumPayouts({ raw }: JobContext, round: RoundToSum): Generator<undefined, SummedPayouts> {
  const saltsOf = salter(raw);
  const bets = new BetCount(round);
  const bettors = raw.prepare(bettorPage("?", "?")).raw();
  for (; bets.after !== null; yield) bets.add(bettors.all(bets.after, round.toBet) as BettorRow[]);
  const payouts = new PayoutSum(round, bets);
  const rows = raw.prepare(payoutPage("?", "?")).raw();
  for (; payouts.after !== null; yield) {
    const page = rows.all(round.id, payouts.after) as PayoutRow[];
    payouts.add(page, saltsOf(page.map(([memberId]) => memberId)));
  }
  return payouts.summed;
}
