import { and, eq, lte, sql } from "drizzle-orm";
import { insertOf } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { failpoint } from "#db/failpoint.ts";
import { journalIndex, transfers, wallets } from "#db/schema/ledger.ts";
import type { Deps, WalletChange } from "#server/app/deps.ts";
import { money, type Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { insufficient } from "./refusal-figures.ts";
import { stateTransfer } from "./state-transfer.ts";

/** Why money moves between a member and an account. A new reason needs a code here and a text `entry.<code>`. */
export type TransferCode =
  | "deposit"
  | "plan"
  | "credit"
  | "reversal"
  | "demo"
  | "welcome"
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
  order: MemberTransfer,
  wallet: { balance: Money; version: number },
): Promise<Transferred> {
  const [recorded] = await recordTransfers(tx, deps, [{ ...order, ...wallet }]);
  return recorded!;
}

/** A transfer, and its wallet as it was just updated. */
export interface MadeTransfer extends MemberTransfer {
  balance: Money;
  version: number;
  /** The request that it is announced with, if another one's than the caller's. */
  requestId?: string | undefined;
}

const addTransfers = insertOf(transfers, (insert) =>
  insert.returning({ id: transfers.id, cause: transfers.cause, code: transfers.code }),
);
const indexEntries = insertOf(journalIndex, (insert) => insert);

/** Records, states and announces several transfers with few statements. Each has its own cause. */
export async function recordTransfers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  made: readonly MadeTransfer[],
): Promise<Transferred[]> {
  if (made.length === 0) return [];
  for (const { code, memberId } of made) failpoint(`transfer.${code}`, memberId);
  const now = deps.clock.now();
  const rows = await addTransfers(
    tx,
    made.map((one) => rowOf(one, now)),
  );
  const ids = new Map(rows.map(({ id, code, cause }) => [`${code} ${cause}`, id]));
  const idOf = ({ code, cause }: MemberTransfer) => ids.get(`${code} ${cause}`)!;
  const entryOf = (one: MadeTransfer) => ({ memberId: one.memberId, version: one.version, rowId: idOf(one) });
  await indexEntries(
    tx,
    made.map((one) => ({ ...entryOf(one), kind: "transfer" as const })),
  );
  for (const { code, cause, memberId, amount, days = 0 } of made)
    await stateTransfer(tx, { code, cause, memberId, amount, days, at: now });
  const changes = made.map(({ memberId, amount: delta, code, balance, version }) => {
    return { memberId, delta, code, balance, version };
  });
  const events = changes.map((change, i) => ({ ...change, requestId: made[i]!.requestId }));
  await deps.announce(tx, "wallet.changed", ...events);
  for (const { code, memberId } of made) failpoint(`transferred.${code}`, memberId);
  return made.map((one, i) => ({ ...changes[i]!, transferId: idOf(one) }));
}

function rowOf(
  { code, cause, memberId, account, amount, reason, balance, version }: MadeTransfer,
  createdAt: number,
): typeof transfers.$inferInsert {
  const delta = money(amount);
  const member = `member:${memberId}`;
  const [debit, credit] = delta < 0 ? [member, account] : [account, member];
  const amounts = { amount: Math.abs(delta), balanceAfter: balance, version };
  return { code, cause, debit, credit, ...amounts, memberId, reason: reason ?? null, createdAt };
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
  throw isExcluded ? new Refusal("member.excluded") : insufficient(-delta - (known?.balance ?? 0));
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
  failpoint("transfer.withdraw-paid", memberId);
  const accounts = { debit: "held:withdrawals", credit: "house:channels" };
  await tx.insert(transfers).values({ code: "withdraw-paid", cause, ...accounts, amount, createdAt: clock.now() });
  await tx
    .update(wallets)
    .set({ withdrawnTotal: sql`${wallets.withdrawnTotal} + ${amount}` })
    .where(eq(wallets.memberId, memberId));
}
