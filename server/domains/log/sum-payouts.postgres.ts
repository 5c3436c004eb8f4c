import type { JobContext } from "#db/postgres/work.ts";
import { saltsOf } from "./read-salts.postgres.ts";
import { BetCount, bettorPage, payoutPage, PayoutSum } from "./sum-payouts.ts";
import type { BettorRow, PayoutRow, RoundToSum, SummedPayouts } from "./sum-payouts.ts";

const BETTORS = bettorPage("$1", "$2");
const PAYOUTS = payoutPage("$1", "$2");

/** Sums the payouts of a settled round, as sum-payouts.sqlite.ts does. */
export async function sumPayouts({ pool }: JobContext, round: RoundToSum): Promise<SummedPayouts> {
  const bets = new BetCount(round);
  while (bets.after !== null) {
    const values = [bets.after, round.toBet];
    const { rows } = await pool.query<BettorRow>({ name: "log.bettors", text: BETTORS, values, rowMode: "array" });
    bets.add(rows);
  }
  const payouts = new PayoutSum(round, bets);
  while (payouts.after !== null) {
    const values = [round.id, payouts.after];
    const { rows } = await pool.query<PayoutRow>({ name: "log.payouts", text: PAYOUTS, values, rowMode: "array" });
    const salts = await saltsOf(
      pool,
      rows.map(([memberId]) => memberId),
    );
    payouts.add(rows, salts);
  }
  return payouts.summed;
}
