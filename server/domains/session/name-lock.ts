import type { Deps } from "#server/app/deps.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import { hasLockedName, type Counts } from "./attempts.ts";

/**
 * The refusal of a wrong guess. If it has just made strangers wait for the name, its member reads so in their messages. An
 * unknown name takes as long.
 */
export async function refuseGuess(
  deps: Pick<Deps, "announce" | "clock" | "db">,
  member: { id: number } | undefined,
  counted: Counts,
  reason: RefusalReason,
): Promise<Refusal> {
  if (hasLockedName(counted)) {
    await deps.db.transact(async (tx) => {
      if (member) await tellSecurity(tx, deps, member.id, "nameLocked");
    });
  }
  return new Refusal(reason);
}
