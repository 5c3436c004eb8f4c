import { and, asc, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members, plans, spins, transfers } from "#db/schema/index.ts";
import { DAY_MS, toIso } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

interface Grant {
  at: number;
  days: number;
}

/**
 * Adds up the days of each member's plans and prizes: a membership runs at least until then. An operator may have given
 * more.
 */
export async function auditMemberships(read: Tx, found: Findings): Promise<void> {
  const grants = new Map<number, Grant[]>();
  const give = (memberId: number, grant: Grant) => {
    const own = grants.get(memberId);
    if (own) own.push(grant);
    else grants.set(memberId, [grant]);
  };
  await addPlans(read, give, found);
  const won = (after: number, limit: number) =>
    read
      .select()
      .from(spins)
      .where(and(eq(spins.kind, "days"), gt(spins.id, after)))
      .orderBy(asc(spins.id))
      .limit(limit);
  for await (const { memberId, amount, createdAt } of inPages(won)) give(memberId, { at: createdAt, days: amount });
  const { id, memberUntil } = members;
  const people = (after: number, limit: number) =>
    read.select({ id, memberUntil }).from(members).where(gt(id, after)).orderBy(asc(id)).limit(limit);
  for await (const member of inPages(people)) {
    const own = (grants.get(member.id) ?? []).sort((a, b) => a.at - b.at);
    const until = own.reduce((end, { at, days }) => Math.max(end, at) + days * DAY_MS, 0);
    found.check(
      member.memberUntil >= until,
      () =>
        `member ${member.id}: plans and prizes gave membership until ${toIso(until)}, it ends ${toIso(member.memberUntil)}`,
    );
  }
}

/** A plan's transfer names the plan, its days and the member (`causeOfPlan`). */
async function addPlans(read: Tx, give: (memberId: number, grant: Grant) => void, found: Findings): Promise<void> {
  const known = new Map((await read.select().from(plans)).map((plan) => [plan.id, plan]));
  const page = (after: number, limit: number) =>
    read
      .select()
      .from(transfers)
      .where(and(eq(transfers.code, "plan"), gt(transfers.id, after)))
      .orderBy(asc(transfers.id))
      .limit(limit);
  for await (const { id, cause, memberId, createdAt } of inPages(page)) {
    const [planId = "", second = "", third = ""] = cause.split(":");
    const plan = known.get(planId);
    const named = /^([1-9]\d{0,4})d$/.exec(second)?.[1];
    // Before causes named them, a plan gave the days that it has now.
    const days = named === undefined ? (plan?.days ?? 0) : Number(named);
    const isOwn = (named === undefined ? second : third) === String(memberId);
    found.check(plan !== undefined && isOwn, () => `transfer ${id} (plan) paid for no plan: ${cause}`);
    if (memberId !== null) give(memberId, { at: createdAt, days });
  }
}
