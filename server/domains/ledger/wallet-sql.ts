import { DAY_MS, dayOf, monthOf, weekOf } from "#shared/time.ts";

/*
 * The conditional updates of a wallet, as text with the parameters :total,
 * :member, :now, :day, :week and :month. Each is the first write of what it
 * guards, so that a refusal has written nothing.
 */
const PERIODS = ["day", "week", "month"] as const;

/** A counter as it stands in the current period: what was counted in an earlier one is over. */
const current = (period: string, sum: string) => `case when ${period} >= :${period} then ${sum} else 0 end`;

const COUNTERS = ["staked", "won", "deposited"] as const;

type Added = (period: string) => string;
const TOTAL: Added = () => ":total";

/** Carries all counters into the current periods and adds to one of them: column → its new value. */
export function counted(added: (typeof COUNTERS)[number], sum = TOTAL): Record<string, string> {
  const values: Record<string, string> = {};
  for (const period of PERIODS) {
    for (const what of COUNTERS) {
      const column = `${what}_${period}`;
      values[column] = current(period, column) + (what === added ? ` + ${sum(period)}` : "");
    }
    values[period] = `case when ${period} >= :${period} then ${period} else :${period} end`;
  }
  return values;
}

const assignments = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ");

const within = (limit: string, period: string, sum: string, added = TOTAL) => {
  const column = `limit_${limit}_${period}`;
  return `(${column} is null or ${current(period, sum)} + ${added(period)} <= ${column})`;
};

const all = (conditions: string[]) => conditions.join(" and ");

/** Neither locked nor on a break. */
export const MAY_PLAY = "not frozen and excluded_until <= :now";
export const WITHIN_DEPOSIT_LIMITS = all(PERIODS.map((period) => within("deposit", period, `deposited_${period}`)));
/** A top-up that came late, as :totalday, :totalweek and :totalmonth: in periods it was ordered in it is counted already. */
const LATE: Added = (period) => `:total${period}`;
export const LATE_COUNTED = counted("deposited", LATE);
export const WITHIN_LATE_LIMITS = all(PERIODS.map((period) => within("deposit", period, `deposited_${period}`, LATE)));
export const WITHIN_STAKE_LIMITS = all([
  ...PERIODS.map((period) => within("stake", period, `staked_${period}`)),
  ...PERIODS.map((period) => within("loss", period, `staked_${period} - won_${period}`)),
]);

/** What taking a stake sets, and what must hold. */
export const STAKE_TAKEN = `balance = balance - :total, version = version + 1,
  staked_total = staked_total + :total, ${assignments(counted("staked"))}`;
export const MAY_STAKE = `balance >= :total and ${MAY_PLAY} and ${WITHIN_STAKE_LIMITS}`;

/** Takes a stake if balance, standing and limits allow. */
export const TAKE_STAKE = `update wallets set ${STAKE_TAKEN} where member_id = :member and ${MAY_STAKE}
  returning balance, version`;

/**
 * What paying a win sets. It counts in the periods of the round (:day, :week, :month), so
 * that a win of yesterday's round does not make room for today's losses.
 */
export const WIN_PAID = `balance = balance + :total, version = version + 1, won_total = won_total + :total,
  ${PERIODS.map((period) => `won_${period} = won_${period} + case when ${period} = :${period} then :total else 0 end`).join(", ")}`;

export const PAY_WIN = `update wallets set ${WIN_PAID} where member_id = :member returning balance, version`;

export interface PeriodStamps {
  day: number;
  week: number;
  month: number;
}

export const stampsOf = (ms: number): PeriodStamps => ({ day: dayOf(ms), week: weekOf(ms), month: monthOf(ms) });
export const stampsOfDay = (day: number): PeriodStamps => stampsOf(day * DAY_MS);
