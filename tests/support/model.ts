/**
 * What a member's wallet must do, as simply as possible and without the server's code: no counters with stamps, only
 * what happened on which day. Amounts in 1/100 unit.
 */
export type Period = "day" | "week" | "month";
export type Kind = "stake" | "loss" | "recharge";
export type LimitField = `${Kind}_${Period}`;

/** `done`, or the reason of a refusal. */
export type Verdict = string;

const PERIODS: Period[] = ["day", "week", "month"];
export const LIMITS = (["stake", "loss", "recharge"] as const).flatMap((kind) =>
  PERIODS.map((period) => `${kind}_${period}` as const),
);

const DAY = 86_400_000;

type Labels = Record<Period, string>;

function labelsOf(ms: number): Labels {
  const day = new Date(ms).toISOString().slice(0, 10);
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return { day, week: new Date(ms - sinceMonday * DAY).toISOString().slice(0, 10), month: day.slice(0, 7) };
}

interface Day {
  labels: Labels;
  stake: number;
  won: number;
  recharge: number;
}

export class ModelMember {
  balance = 0;
  version = 0;
  locked = false;
  /** Logged out by the operator, until they log in again. */
  kicked = false;
  excludedUntil = 0;
  memberUntil = 0;
  readonly limits = new Map<LimitField, number>();
  readonly pending = new Map<LimitField, { value: number | null; due: number }>();
  readonly #days = new Map<string, Day>();
  /** Top-ups paid in another period than they were ordered in. */
  readonly #late: { labels: Labels; period: Period; amount: number }[] = [];

  /** A bet's debit. */
  stake(total: number, now: number): Verdict {
    const no = this.#mayPlay(now) ?? (this.balance < total ? "balance.insufficient" : null);
    if (no) return no;
    if (!this.#fits("stake", total, now) || !this.#fits("loss", total, now)) return "limit.reached";
    this.#day(now).stake += total;
    return this.change(-total);
  }

  /** Orders a top-up; the payment comes later, if at all. Open orders are limited in number. */
  order(amount: number, now: number, isFull: boolean): Verdict {
    const no = this.#mayPlay(now);
    if (no) return no;
    if (!this.#fits("recharge", amount, now)) return "limit.reached";
    if (isFull) return "recharge.open";
    this.#day(now).recharge += amount;
    return "done";
  }

  /** Pays a lapsed order; false when the member may not top up now. */
  payLate(amount: number, orderedAt: number, now: number): boolean {
    const [then, labels] = [labelsOf(orderedAt), labelsOf(now)];
    const added = (period: Period) => (then[period] === labels[period] ? 0 : amount);
    if (this.#mayPlay(now) || !PERIODS.every((period) => this.#fitsPeriod("recharge", period, added(period), now)))
      return false;
    for (const period of PERIODS) this.#late.push({ labels, period, amount: added(period) });
    this.change(amount);
    return true;
  }

  /** Credits what all bets on a round of that day won. */
  win(amount: number, roundMs: number): void {
    this.#day(roundMs).won += amount;
    this.change(amount);
  }

  pay(amount: number): Verdict {
    if (this.locked) return "member.locked";
    return this.balance < amount ? "balance.insufficient" : this.change(-amount);
  }

  change(delta: number): "done" {
    this.balance += delta;
    this.version++;
    return "done";
  }

  /** Buys days of membership. */
  subscribe(price: number, days: number, now: number): Verdict {
    const verdict = this.excludedUntil > now ? "member.excluded" : this.pay(price);
    if (verdict === "done") this.memberUntil = Math.max(this.memberUntil, now) + days * DAY;
    return verdict;
  }

  /** Why no request of the member is allowed, or null. */
  barred(): Verdict | null {
    if (this.kicked) return "session.kicked";
    return this.locked ? "member.locked" : null;
  }

  setLimit(field: LimitField, value: number | null, now: number): Verdict {
    const no = this.barred();
    if (no) return no;
    this.comeIntoForce(now);
    const current = this.limits.get(field) ?? Infinity;
    if ((value ?? Infinity) <= current) {
      this.pending.delete(field);
      if (value !== null) this.limits.set(field, value);
    } else if (this.pending.get(field)?.value !== value || !this.pending.has(field)) {
      this.pending.set(field, { value, due: now + DAY });
    }
    return "done";
  }

  exclude(days: number, until: number, now: number): Verdict {
    const no = this.barred();
    if (no) return no;
    if (!((days >= 1 && days <= 42) || days >= 180)) return "input.invalid";
    if (until < this.excludedUntil) return "limit.shortened";
    this.comeIntoForce(now);
    this.excludedUntil = until;
    return "done";
  }

  /** Applies the raised limits whose day of delay is over. */
  comeIntoForce(now: number): void {
    for (const [field, { value, due }] of this.pending) {
      if (due > now) continue;
      this.pending.delete(field);
      if (value === null) this.limits.delete(field);
      else this.limits.set(field, value);
    }
  }

  #mayPlay(now: number): Verdict | null {
    if (this.locked) return "member.locked";
    return this.excludedUntil > now ? "member.excluded" : null;
  }

  #fits(kind: Kind, amount: number, now: number): boolean {
    return PERIODS.every((period) => this.#fitsPeriod(kind, period, amount, now));
  }

  #fitsPeriod(kind: Kind, period: Period, amount: number, now: number): boolean {
    const label = labelsOf(now)[period];
    let sum = amount;
    for (const day of this.#days.values()) {
      if (day.labels[period] === label) sum += kind === "loss" ? day.stake - day.won : day[kind];
    }
    const late = this.#late.filter((one) => kind === "recharge" && one.period === period);
    for (const one of late) if (one.labels[period] === label) sum += one.amount;
    return sum <= (this.limits.get(`${kind}_${period}`) ?? Infinity);
  }

  #day(ms: number): Day {
    const labels = labelsOf(ms);
    const day = this.#days.get(labels.day) ?? { labels, stake: 0, won: 0, recharge: 0 };
    this.#days.set(labels.day, day);
    return day;
  }
}
