import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { wallets } from "#db/schema/ledger.ts";
import { Refusal } from "#shared/refusal.ts";

export type Wallet = typeof wallets.$inferSelect;

/** Creates the member's only wallet, together with the member. */
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

/** Refuses a member on a break, before what else may refuse them. The statement that takes money asks again. */
export async function refuseOnBreak(read: Tx, memberId: number, now: number): Promise<void> {
  if ((await readWallet(read, memberId)).excludedUntil > now) throw new Refusal("member.excluded");
}

/** The wallet's version: how often the balance has changed, and the number of the newest entry. */
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

/** Locks or unlocks payments out of a wallet. Incoming money is always accepted. */
export async function freezeWallet(tx: Tx, memberId: number, frozen: boolean): Promise<void> {
  await tx.update(wallets).set({ frozen }).where(eq(wallets.memberId, memberId));
}
