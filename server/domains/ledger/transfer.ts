import { and, eq, lte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { journalIndex, transfers, wallets } from "#db/schema/ledger.ts";
import type { Deps, WalletChange } from "#server/app/deps.ts";
import { money, type Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { stateTransfer } from "./state-transfer.ts";

/** Why money moves between a member and an account. A new reason needs a code here and a text `entry.<code>`. */
export type TransferCode =
  | "deposit"
  | "plan"
  | "credit"
  | "reversal"
  | "demo"
  | "withdraw"
  | "withdraw-return"
  | "spin"
  | "prize"
  | "chargeback"
  | "chargeback-return"
  | "debt";

/** The other side of a member's transfer. */
export type Account = "house:channels" | "house:plans" | "house:operator" | "house:wheel" | "held:withdrawals";

export interface MemberTransfer {
  code: TransferCode;
  /** The idempotency key: what caused the transfer. The database rejects the same cause twice. */
  cause: string;
  memberId: number;
  account: Account;
  /** To the member if positive, from the member if negative; never 0. */
  amount: Money;
  reason?: string;
  /** The days of membership that it buys. */
  days?: number;
  /** Totals of the wallet that change with it. */
  totals?: { depositedTotal?: Money };
}

export interface Transferred extends WalletChange {
  transferId: number;
}

/**
 * The highest balance that a deposit may reach, in 1/100 unit. All of it staked at the highest odds still pays less than
 * the wallet's own limit, so a win can always be paid.
 */
export const FULL = 40_000_000_000_000;
/** The wallet's own limit, which the table checks. */
const MAX_BALANCE = 9_000_000_000_000_000;

/**
 * Moves money between a member and an account, in the caller's transaction, and announces it. Refuses an amount that the
 * balance does not cover, and every payment of a locked member.
 */
export async function transfer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  order: MemberTransfer,
): Promise<Transferred> {
  const { memberId, account, totals } = order;
  // Money held for a member, or taken back wrongly, is theirs: it is returned even above `FULL`.
  const most = account.startsWith("held:") || order.code === "chargeback-return" ? MAX_BALANCE : FULL;
  const deposited = totals?.depositedTotal ?? 0;
  const move = {
    delta: money(order.amount),
    deposited,
    most,
    boughtAt: order.code === "plan" ? deps.clock.now() : null,
  };
  return recordTransfer(tx, deps, order, await changeBalance(tx, memberId, move));
}

/** Records a transfer, states it in the log, and announces it. Its wallet was just updated to this balance and version. */
export async function recordTransfer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  { code, cause, memberId, account, amount, reason, days = 0 }: MemberTransfer,
  { balance, version }: { balance: Money; version: number },
): Promise<Transferred> {
  const delta = money(amount);
  const now = deps.clock.now();
  const member = `member:${memberId}`;
  const [row] = await tx
    .insert(transfers)
    .values({
      code,
      cause,
      debit: delta < 0 ? member : account,
      credit: delta < 0 ? account : member,
      amount: Math.abs(delta),
      memberId,
      version,
      balanceAfter: balance,
      reason: reason ?? null,
      createdAt: now,
    })
    .returning({ id: transfers.id });
  await tx.insert(journalIndex).values({ memberId, version, kind: "transfer", rowId: row!.id });
  await stateTransfer(tx, { code, cause, memberId, amount: delta, days, at: now });
  const change = { memberId, delta, code, balance, version };
  await deps.announce(tx, "wallet.changed", change);
  return { ...change, transferId: row!.id };
}

interface Move {
  delta: Money;
  deposited: Money;
  most: Money;
  /** The time of a purchase: a member on a break buys nothing. Null for what a break does not forbid. */
  boughtAt: number | null;
}

async function changeBalance(tx: Tx, memberId: number, { delta, deposited, most, boughtAt }: Move) {
  // The limit is in the statement, not in a read before it: two requests cannot both see enough money.
  const allowed =
    delta < 0
      ? sql`${wallets.balance} >= ${-delta} and not ${wallets.frozen}`
      : sql`${wallets.balance} <= ${most - delta}`;
  const [wallet] = await tx
    .update(wallets)
    .set({
      balance: sql`${wallets.balance} + ${delta}`,
      version: sql`${wallets.version} + 1`,
      depositedTotal: sql`${wallets.depositedTotal} + ${deposited}`,
    })
    .where(
      and(
        eq(wallets.memberId, memberId),
        allowed,
        boughtAt === null ? undefined : lte(wallets.excludedUntil, boughtAt),
      ),
    )
    .returning({ balance: wallets.balance, version: wallets.version });
  if (wallet) return wallet;
  const [known] = await tx.select().from(wallets).where(eq(wallets.memberId, memberId));
  if (delta > 0) throw new Refusal("balance.full");
  if (known?.frozen) throw new Refusal("member.locked");
  const isExcluded = boughtAt !== null && known !== undefined && known.excludedUntil > boughtAt;
  throw new Refusal(isExcluded ? "member.excluded" : "balance.insufficient");
}

/**
 * Pays out money that was held for a withdrawal. It left the wallet when it was held, so this row belongs to no member;
 * only the member's total of withdrawals grows.
 */
export async function payOutHeld(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { cause, memberId, amount }: { cause: string; memberId: number; amount: Money },
): Promise<void> {
  const accounts = { debit: "held:withdrawals", credit: "house:channels" };
  await tx.insert(transfers).values({ code: "withdraw-paid", cause, ...accounts, amount, createdAt: clock.now() });
  await tx
    .update(wallets)
    .set({ withdrawnTotal: sql`${wallets.withdrawnTotal} + ${amount}` })
    .where(eq(wallets.memberId, memberId));
}
