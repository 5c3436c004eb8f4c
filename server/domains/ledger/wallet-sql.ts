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

/** What counts towards each kind of limit. */
const LIMITED = {
  stake: (period: Period) => `staked_${period}`,
  loss: (period: Period) => `staked_${period} - won_${period}`,
  deposit: (period: Period) => `deposited_${period}`,
};
type Limited = keyof typeof LIMITED;

const limitColumn = (kind: Limited, period: Period) => `limit_${kind}_${period}`;

/** What a limit still allows in its current period; null without a limit. */
const left = (stamps: Stamps, kind: Limited, period: Period) =>
  `${limitColumn(kind, period)} - ${current(stamps, period, LIMITED[kind](period))}`;

/** What all nine limits still allow: column → the amount beyond which the updates below refuse. */
export const leftOfLimits = (stamps: Stamps): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(LIMITED) as Limited[]).flatMap((kind) =>
      PERIODS.map((period) => [limitColumn(kind, period), left(stamps, kind, period)]),
    ),
  );

/** One condition for each period: what is added now is no more than the member's limit still allows. */
const within = (stamps: Stamps, kind: Limited, added: Added) =>
  PERIODS.map(
    (period) => `(${limitColumn(kind, period)} is null or ${added(period)} <= ${left(stamps, kind, period)})`,
  ).join(" and ");

/** Neither locked nor on a break. */
export const mayPlay = ({ now }: Pick<WalletValues, "now">): string => `not frozen and excluded_until <= ${now}`;

export const withinDepositLimits = (values: WalletValues, added: Added = () => values.total): string =>
  within(values, "deposit", added);

/** A late top-up, as :totalday, :totalweek and :totalmonth: 0 for a period that counted it when it was ordered. */
export const lateTotal: Added = (period) => `:total${period}`;

export const withinStakeLimits = (values: WalletValues): string => {
  const added = () => values.total;
  return `${within(values, "stake", added)} and ${within(values, "loss", added)}`;
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
