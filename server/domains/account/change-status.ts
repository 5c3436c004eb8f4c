import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { freezeWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS } from "#shared/time.ts";

/** Account status: locks a member, who may then only read, or unlocks them. */
export async function lockMember(
  tx: Tx,
  deps: Pick<Deps, "announce">,
  memberId: number,
  locked: boolean,
): Promise<void> {
  await tx.update(members).set({ locked }).where(eq(members.id, memberId));
  await freezeWallet(tx, memberId, locked);
  await deps.announce(tx, "member.changed", { memberId });
}

/** Extends a membership by some days, or starts one now. Returns when it will end. */
export async function extendMembership(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock">,
  memberId: number,
  days: number,
): Promise<number> {
  const now = deps.clock.now();
  const start = sql`case when ${members.memberUntil} > ${now} then ${members.memberUntil} else ${now} end`;
  const [member] = await tx
    .update(members)
    .set({ memberUntil: sql`${start} + ${days * DAY_MS}` })
    .where(eq(members.id, memberId))
    .returning({ memberUntil: members.memberUntil });
  await deps.announce(tx, "member.changed", { memberId });
  return member!.memberUntil;
}
