import { eq } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { wallets } from "#db/schema/ledger.ts";

export type Wallet = typeof wallets.$inferSelect;

/** Every member has exactly one wallet, made with them. */
export async function openWallet(tx: Tx, memberId: number): Promise<void> {
  await tx.insert(wallets).values({ memberId });
}

export async function readWallet(read: Tx, memberId: number): Promise<Wallet> {
  const [wallet] = await read.select().from(wallets).where(eq(wallets.memberId, memberId));
  if (!wallet) throw new Error(`member ${memberId} has no wallet`);
  return wallet;
}

/** Locks or unlocks what a wallet pays for; what comes in is always taken. */
export async function freezeWallet(tx: Tx, memberId: number, frozen: boolean): Promise<void> {
  await tx.update(wallets).set({ frozen }).where(eq(wallets.memberId, memberId));
}
