import type { RefusalReason } from "#shared/refusal.ts";

/** What decides about a stake or a top-up, as the conditional update saw it. */
export interface WalletState {
  frozen: boolean | number;
  excludedUntil: number;
  balance: number;
}

/** Why a wallet's conditional update found no row: the first rule that was broken, in the contract's order. */
export function whyRefused(wallet: WalletState, now: number, cost: number): RefusalReason {
  if (wallet.frozen) return "member.locked";
  if (wallet.excludedUntil > now) return "member.excluded";
  return wallet.balance < cost ? "balance.insufficient" : "limit.reached";
}
