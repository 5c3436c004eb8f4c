import type { Tx } from "#db/db.ts";
import { toDecimal } from "#shared/money.ts";
import { periodOf, periodStarts, type Period } from "#shared/period.ts";
import { DAY_MS, toSeconds } from "#shared/time.ts";
import type { DailyTotals } from "./daily-totals.ts";
import { paidWithdrawals } from "./day-sums.ts";

/** The four figures of a member's last days, weeks or months, oldest first; the last one is still running. */
export async function readReportSeries(
  read: Tx,
  totals: DailyTotals,
  { memberId, by, now }: { memberId: number; by: Period; now: number },
) {
  const starts = periodStarts(by, now);
  // Months reach back furthest, so one cache serves all three.
  const days = await totals.read(read, memberId, periodStarts("month", now)[0]!);
  const sums = starts.map((from) => ({ from, staked: 0, deposited: 0, withdrawn: 0, won: 0 }));
  const oldest = periodOf[by](starts[0]!);
  const sumOf = (day: number) => sums[periodOf[by](day * DAY_MS) - oldest];
  for (const { day, staked, won, deposited } of days.values()) {
    const sum = sumOf(day);
    if (!sum) continue;
    sum.staked += staked;
    sum.won += won;
    sum.deposited += deposited;
  }
  for (const { day, withdrawn } of await paidWithdrawals(read, memberId, starts[0]!)) {
    const sum = sumOf(day);
    if (sum) sum.withdrawn += withdrawn;
  }
  return sums.map(({ from, staked, deposited, withdrawn, won }) => ({
    from: toSeconds(from),
    play_money: toDecimal(staked),
    recharge: toDecimal(deposited),
    withdrawal: toDecimal(withdrawn),
    win_money: toDecimal(won),
  }));
}
