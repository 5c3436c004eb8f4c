import type { RefusalReason } from "#shared/refusal.ts";

/** What decides on a stake or a top-up. */
export interface WalletState {
  frozen: boolean | number;
  excludedUntil: number;
  balance: number;
}

/** Why a wallet's conditional update changed no row: the first broken rule, in the contract's order. */
export function whyRefused(wallet: WalletState, now: number, cost: number): RefusalReason {
  if (wallet.frozen) return "member.locked";
  if (wallet.excludedUntil > now) return "member.excluded";
  return wallet.balance < cost ? "balance.insufficient" : "limit.reached";
}
