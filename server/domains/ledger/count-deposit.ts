import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wallets } from "#db/schema/ledger.ts";
import type { Money } from "#shared/money.ts";
import { named, namedColumns } from "./named-sql.ts";
import { refusalOf } from "./refusal-figures.ts";
import { readWallet } from "./wallet.ts";
import { counted, lateTotal, mayPlay, NAMED, stampsOf, withinDepositLimits } from "./wallet-sql.ts";
import { whyRefused } from "./why-refused.ts";

const MAY_DEPOSIT = `${mayPlay(NAMED)} and ${withinDepositLimits(NAMED)}`;
const MAY_DEPOSIT_LATE = `${mayPlay(NAMED)} and ${withinDepositLimits(NAMED, lateTotal)}`;

/** Counts a top-up towards the member's own limits, or refuses it: locked, excluded, or a limit reached. */
export async function countDeposit(tx: Tx, memberId: number, amount: Money, now: number): Promise<void> {
  const values = { total: amount, now, ...stampsOf(now) };
  const [counts] = await tx
    .update(wallets)
    .set(namedColumns(counted(NAMED, "deposited"), values))
    .where(and(eq(wallets.memberId, memberId), named(MAY_DEPOSIT, values)))
    .returning({ memberId: wallets.memberId });
  if (counts) return;
  const reason = whyRefused(await readWallet(tx, memberId), now, 0);
  throw await refusalOf(tx, reason, { memberId, cost: amount, now }, "deposit");
}

/**
 * Counts a top-up that was ordered earlier and is paid only now. Returns false and counts nothing when the member may not
 * top up now: locked, excluded, or a limit reached.
 */
export async function countLateDeposit(
  tx: Tx,
  memberId: number,
  { amount, orderedAt }: { amount: Money; orderedAt: number },
  now: number,
): Promise<boolean> {
  const [then, stamps] = [stampsOf(orderedAt), stampsOf(now)];
  const added = (period: keyof typeof stamps) => (then[period] >= stamps[period] ? 0 : amount);
  const totals = { totalday: added("day"), totalweek: added("week"), totalmonth: added("month") };
  const values = { ...totals, now, ...stamps };
  const [counts] = await tx
    .update(wallets)
    .set(namedColumns(counted(NAMED, "deposited", lateTotal), values))
    .where(and(eq(wallets.memberId, memberId), named(MAY_DEPOSIT_LATE, values)))
    .returning({ memberId: wallets.memberId });
  return counts !== undefined;
}
