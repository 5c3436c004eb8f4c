import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { wallets } from "#db/schema/ledger.ts";

export type Wallet = typeof wallets.$inferSelect;

/** Every member has exactly one wallet, made with them. */
export async function openWallet(tx: Tx, memberId: number): Promise<void> {
  await tx.insert(wallets).values({ memberId });
}

export async function readWallet(read: Tx, memberId: number): Promise<Wallet> {
  const [wallet] = await ofMember(read).execute({ member: memberId });
  if (!wallet) throw new Error(`member ${memberId} has no wallet`);
  return wallet;
}

const ofMember = prepared((read) =>
  read
    .select()
    .from(wallets)
    .where(eq(wallets.memberId, placeholder("member")))
    .prepare(),
);

/** How often the member's balance has changed: the version of their newest entry. */
export async function readVersion(read: Tx, memberId: number): Promise<number> {
  const [wallet] = await versionOf(read).execute({ member: memberId });
  if (!wallet) throw new Error(`member ${memberId} has no wallet`);
  return wallet.version;
}

const versionOf = prepared((read) =>
  read
    .select({ version: wallets.version })
    .from(wallets)
    .where(eq(wallets.memberId, placeholder("member")))
    .prepare(),
);

/** Locks or unlocks what a wallet pays for; what comes in is always taken. */
export async function freezeWallet(tx: Tx, memberId: number, frozen: boolean): Promise<void> {
  await tx.update(wallets).set({ frozen }).where(eq(wallets.memberId, memberId));
}
