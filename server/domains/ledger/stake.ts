import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wallets } from "#db/schema/ledger.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { POINTS } from "#shared/unit.ts";
import { named, namedColumns } from "./named-sql.ts";
import { recordTransfer, type Account, type Transferred } from "./transfer.ts";
import { counted, mayPlay, NAMED, stampsOf, withinStakeLimits } from "./wallet-sql.ts";
import { readWallet } from "./wallet.ts";
import { whyRefused } from "./why-refused.ts";

/** A stake or a win with a transfer of its own. Those of bets are the bet book's. */
export interface Play {
  memberId: number;
  code: "spin" | "prize";
  cause: string;
  account: Account;
  /** More than 0. */
  amount: Money;
}

type Needs = Pick<Deps, "clock" | "announce">;

/** Refuses play while the operator's switch is off. Nobody plays for a currency on a site that names no licence. */
export function checkPlayAllowed({ settings }: Pick<Deps, "settings">, feature: "isplay" | "isluckdraw"): void {
  if (settings.get(feature) === 0) throw new Refusal("feature.off");
  if (settings.get("unit") !== POINTS && settings.get("licence") === "") throw new Refusal("licence.missing");
}

/**
 * Checks that a member is neither locked nor on a break, and locks their wallet's row until the transaction ends. Call it
 * before the game's first write. Returns the balance.
 */
export async function admitPlayer(tx: Tx, memberId: number, now: number): Promise<Money> {
  const [wallet] = await tx
    .update(wallets)
    // `frozen` is false already: this update is for its condition and its row lock.
    .set({ frozen: false })
    .where(and(eq(wallets.memberId, memberId), named(mayPlay(NAMED), { now })))
    .returning({ balance: wallets.balance });
  if (!wallet) throw new Refusal(whyRefused(await readWallet(tx, memberId), now, 0));
  return wallet.balance;
}

/** Takes a stake if the balance, the member's status and their limits allow, and counts it towards those limits. */
export async function takeStake(tx: Tx, deps: Needs, { amount, ...play }: Play): Promise<Transferred> {
  const now = deps.clock.now();
  const values = { total: amount, now, ...stampsOf(now) };
  const allowed = sql`${wallets.balance} >= ${amount} and ${named(`${mayPlay(NAMED)} and ${withinStakeLimits(NAMED)}`, values)}`;
  const [wallet] = await tx
    .update(wallets)
    .set({
      balance: sql`${wallets.balance} - ${amount}`,
      version: sql`${wallets.version} + 1`,
      stakedTotal: sql`${wallets.stakedTotal} + ${amount}`,
      ...namedColumns(counted(NAMED, "staked"), values),
    })
    .where(and(eq(wallets.memberId, play.memberId), allowed))
    .returning({ balance: wallets.balance, version: wallets.version });
  if (!wallet) throw new Refusal(whyRefused(await readWallet(tx, play.memberId), now, amount));
  return recordTransfer(tx, deps, { ...play, amount: -amount }, wallet);
}

/** Pays a win. It also lowers the losses that the member's limits of today, this week and this month count. */
export async function payWin(tx: Tx, deps: Needs, play: Play): Promise<Transferred> {
  const { memberId, amount } = play;
  const values = { total: amount, ...stampsOf(deps.clock.now()) };
  const [wallet] = await tx
    .update(wallets)
    .set({
      balance: sql`${wallets.balance} + ${amount}`,
      version: sql`${wallets.version} + 1`,
      wonTotal: sql`${wallets.wonTotal} + ${amount}`,
      ...namedColumns(counted(NAMED, "won"), values),
    })
    .where(eq(wallets.memberId, memberId))
    .returning({ balance: wallets.balance, version: wallets.version });
  if (!wallet) throw new Error(`member ${memberId} has no wallet`);
  return recordTransfer(tx, deps, play, wallet);
}
