import type { Tx } from "#db/db.ts";
import { LIMIT_FIELDS } from "#shared/contract/wallet.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import { DAY_MS, dayOf, weekOf } from "#shared/time.ts";
import { LIMIT_COLUMNS, readLeft } from "./limits.ts";
import { readWallet } from "./wallet.ts";

interface Spent {
  memberId: number;
  cost: Money;
  now: number;
}

/**
 * A refusal of a stake or a top-up that says what is missing, or which limit of the member's own stands in the way. The
 * figures are read after the refusal: where they no longer explain it, it comes without.
 */
export async function refusalOf(
  read: Tx,
  reason: RefusalReason,
  spent: Spent,
  spending: "stake" | "deposit",
): Promise<Refusal> {
  if (reason === "balance.insufficient")
    return insufficient(spent.cost - (await readWallet(read, spent.memberId)).balance);
  if (reason === "limit.reached") return new Refusal(reason, await limitFigures(read, spent, spending));
  return new Refusal(reason);
}

/** A refusal that says how much the balance lacks. */
export const insufficient = (missing: Money): Refusal =>
  new Refusal("balance.insufficient", missing > 0 ? { figures: { missing: toDecimal(missing) } } : {});

/** The limit that leaves the least, of those that leave too little. */
async function limitFigures(read: Tx, { memberId, cost, now }: Spent, spending: "stake" | "deposit") {
  const lefts = await readLeft(read, memberId, now);
  const short = LIMIT_FIELDS.flatMap((limit, i) => {
    const left = lefts[LIMIT_COLUMNS[i]!] ?? null;
    const isAsked = limit.startsWith("recharge_") === (spending === "deposit");
    return isAsked && left !== null && left < cost ? [{ limit, left }] : [];
  });
  const [least] = short.toSorted((a, b) => a.left - b.left);
  if (!least) return {};
  const { limit, left } = least;
  return { figures: { limit, left: toDecimal(Math.max(0, left)), resets_ms: endOf(limit, now) } };
}

/** When a limit's present period ends: at midnight UTC, before a Monday, or before the first of a month. */
function endOf(limit: string, now: number): number {
  if (limit.endsWith("_day")) return (dayOf(now) + 1) * DAY_MS;
  if (limit.endsWith("_week")) return ((weekOf(now) + 1) * 7 - 3) * DAY_MS;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
