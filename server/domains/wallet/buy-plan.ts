import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { plans } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { Refusal } from "#shared/refusal.ts";

/** Buys membership from the balance. Returns when it will end. */
export async function buyPlan(tx: Tx, deps: Deps, memberId: number, planId: string): Promise<number> {
  const [plan] = await tx
    .select()
    .from(plans)
    .where(and(eq(plans.id, planId), eq(plans.sold, true)));
  if (!plan) throw new Refusal("object.unknown");
  const cause = `${planId}:${memberId}:${Buffer.from(deps.random(12)).toString("base64url")}`;
  await transfer(tx, deps, { code: "plan", cause, memberId, account: "house:plans", amount: -plan.price });
  return extendMembership(tx, deps, memberId, plan.days);
}
