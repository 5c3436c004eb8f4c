import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wallets } from "#db/schema/ledger.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { readWallet } from "./wallet.ts";

/** Lets "a day from now" arrive a little late, or be counted by a clock that is a little off. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** A break of 1 to 42 days or an exclusion of 180 days and more. Never shortened. */
export async function excludeMember(tx: Tx, memberId: number, until: number, now: number): Promise<void> {
  const wallet = await readWallet(tx, memberId);
  if (until === wallet.excludedUntil) return;
  const days = (count: number) => now + count * DAY_MS;
  const isBreak = until >= days(1) - TOLERANCE_MS && until <= days(42) + TOLERANCE_MS;
  const isExclusion = until >= days(180) - TOLERANCE_MS;
  if (!isBreak && !isExclusion) throw invalid({ exclude_until: "exclude" });
  if (until < wallet.excludedUntil) throw new Refusal("limit.shortened");
  await tx.update(wallets).set({ excludedUntil: until }).where(eq(wallets.memberId, memberId));
}
