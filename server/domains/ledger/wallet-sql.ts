import { DAY_MS, dayOf, monthOf, weekOf } from "#shared/time.ts";

/*
 * The conditional updates of a wallet, as SQL text. Each is the first write of what it guards, so a refusal has written
 * nothing. Every statement is built from these functions, with the placeholders of its engine.
 */
const PERIODS = ["day", "week", "month"] as const;
type Period = (typeof PERIODS)[number];

/** What a statement writes where a value belongs: a placeholder, or a column of its own. */
export interface WalletValues extends Record<Period, string> {
  total: string;
  now: string;
}

/** Named parameters, which better-sqlite3 and `named` bind. */
export const NAMED: WalletValues = { total: ":total", now: ":now", day: ":day", week: ":week", month: ":month" };

type Stamps = Record<Period, string>;
/** What a period's counter grows by. */
type Added = (period: Period) => string;

/** A counter's value in the current period: 0 when it was last counted in an earlier one. */
const current = (stamps: Stamps, period: Period, sum: string) =>
  `case when ${period} >= ${stamps[period]} then ${sum} else 0 end`;

const COUNTERS = ["staked", "won", "deposited"] as const;

/** Carries all counters into the current periods and adds to one of them: column → its new value. */
export function counted(
  values: WalletValues,
  counter: (typeof COUNTERS)[number],
  added: Added = () => values.total,
): Record<string, string> {
  const columns: Record<string, string> = {};
  for (const period of PERIODS) {
    for (const what of COUNTERS) {
      const column = `${what}_${period}`;
      columns[column] = current(values, period, column) + (what === counter ? ` + ${added(period)}` : "");
    }
    const stamp = values[period];
    columns[period] = `case when ${period} >= ${stamp} then ${period} else ${stamp} end`;
  }
  return columns;
}

const assignments = (columns: Record<string, string>) =>
  Object.entries(columns)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ");

/** One condition for each period: the counter, with what is added now, stays within the member's limit. */
const within = (stamps: Stamps, limit: string, sum: (period: Period) => string, added: Added) =>
  PERIODS.map((period) => {
    const column = `limit_${limit}_${period}`;
    return `(${column} is null or ${current(stamps, period, sum(period))} + ${added(period)} <= ${column})`;
  }).join(" and ");

/** Neither locked nor on a break. */
export const mayPlay = ({ now }: Pick<WalletValues, "now">): string => `not frozen and excluded_until <= ${now}`;

export const withinDepositLimits = (values: WalletValues, added: Added = () => values.total): string =>
  within(values, "deposit", (period) => `deposited_${period}`, added);

/** A late top-up, as :totalday, :totalweek and :totalmonth: 0 for a period that counted it when it was ordered. */
export const lateTotal: Added = (period) => `:total${period}`;

export const withinStakeLimits = (values: WalletValues): string => {
  const added = () => values.total;
  const stakes = within(values, "stake", (period) => `staked_${period}`, added);
  const losses = within(values, "loss", (period) => `staked_${period} - won_${period}`, added);
  return `${stakes} and ${losses}`;
};

/** What taking a stake sets. */
export const stakeTaken = (values: WalletValues): string =>
  `balance = balance - ${values.total}, version = version + 1,
  staked_total = staked_total + ${values.total}, ${assignments(counted(values, "staked"))}`;

/** What must hold before a stake is taken: the balance, the member's status and their own limits. */
export const mayStake = (values: WalletValues): string =>
  `balance >= ${values.total} and ${mayPlay(values)} and ${withinStakeLimits(values)}`;

/**
 * What paying a win sets. It counts in the periods of the round's day, so
 * that a win of yesterday's round does not make room for today's losses.
 */
export const winPaid = ({ total, ...stamps }: Omit<WalletValues, "now">): string => {
  const won = PERIODS.map(
    (period) => `won_${period} = won_${period} + case when ${period} = ${stamps[period]} then ${total} else 0 end`,
  );
  return `balance = balance + ${total}, version = version + 1, won_total = won_total + ${total},
  ${won.join(", ")}`;
};

interface PeriodStamps {
  day: number;
  week: number;
  month: number;
}

export const stampsOf = (ms: number): PeriodStamps => ({ day: dayOf(ms), week: weekOf(ms), month: monthOf(ms) });
export const stampsOfDay = (day: number): PeriodStamps => stampsOf(day * DAY_MS);
