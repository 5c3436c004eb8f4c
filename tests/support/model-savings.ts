import type { Verdict } from "./model.ts";

/** The house's withdrawal rules while the model plays, in whole units. */
export const RULES = { least: 20, most: 1_500, aDay: 3 };

export type Decision = "approve" | "refuse" | "pay";

interface Withdrawal {
  id: number;
  /** In 1/100 unit. */
  amount: number;
  day: number;
  status: "review" | "approved" | "refused" | "paid";
}

const DAY = 86_400_000;
const MINUTE = 60_000;

/** A member's withdrawals, and what they need to make one. */
export class ModelSavings {
  readonly hasPin: boolean;
  bound = false;
  /** Whether the member reads of the latest passcode: the third wrong one, or one that locked it. */
  isToldNow = false;
  readonly all: Withdrawal[] = [];
  #wrong = { count: 0, until: 0, at: 0 };

  constructor(hasPin: boolean) {
    this.hasPin = hasPin;
  }

  get isTrusted(): boolean {
    return this.#wrong.count === 0;
  }

  get waiting(): Withdrawal[] {
    return this.all.filter(({ status }) => status === "review" || status === "approved");
  }

  get held(): number {
    return this.waiting.reduce((sum, { amount }) => sum + amount, 0);
  }

  bind(): Verdict {
    if (this.bound) return "bank.bound";
    if (!this.hasPin) return "passcode.missing";
    this.bound = true;
    return "done";
  }

  /** All checks that come before the balance. */
  mayAsk(amount: number, isRight: boolean, now: number): Verdict | null {
    this.isToldNow = false;
    if (!this.bound) return "name.missing";
    if (amount < RULES.least * 100 || amount > RULES.most * 100) return "withdraw.range";
    return this.#tryPin(isRight, now);
  }

  fitsDay(now: number): boolean {
    const day = Math.floor(now / DAY);
    return this.all.filter((one) => one.day === day && one.status !== "refused").length < RULES.aDay;
  }

  add(id: number, amount: number, now: number): void {
    this.all.push({ id, amount, day: Math.floor(now / DAY), status: "review" });
  }

  decide(one: Withdrawal, decision: Decision): Verdict {
    const from = { approve: ["review"], refuse: ["review", "approved"], pay: ["approved"] }[decision];
    if (!from.includes(one.status)) return "withdraw.decided";
    one.status = ({ approve: "approved", refuse: "refused", pay: "paid" } as const)[decision];
    return "done";
  }

  /** Old wrong passcodes, once the server prunes them. */
  forget(now: number): void {
    if (this.#wrong.at < now - 30 * DAY) this.#wrong = { count: 0, until: 0, at: 0 };
  }

  #tryPin(isRight: boolean, now: number): Verdict | null {
    const { count, until } = this.#wrong;
    if (until > now) return "passcode.locked";
    if (isRight) {
      this.#wrong = { count: 0, until: 0, at: 0 };
      return null;
    }
    const next = count + 1;
    const locks = next % 5 === 0;
    this.isToldNow = locks || next === 3;
    const lock = Math.min(15 * MINUTE * 2 ** (next / 5 - 1), DAY);
    this.#wrong = { count: next, until: locks ? now + lock : 0, at: now };
    return "passcode.wrong";
  }
}
