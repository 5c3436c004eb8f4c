import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { operators, withdrawalApprovals } from "#db/schema/operators.ts";
import { withdrawals } from "#db/schema/payments.ts";
import { Settings } from "#server/app/settings.ts";
import type { Withdrawal } from "#server/domains/payments/decide-withdrawal.ts";
import { fromUnits } from "#shared/money.ts";
import { Refused, type Caller, type CommandInput, type Operator } from "./command.ts";
import { mayRun } from "./roles.ts";

const COMMAND = "withdraw:approve";
/** Without a caller it is the shell. */
const SHELL: Caller = { id: null, who: "the shell", host: "" };

/**
 * Notes the first approval of a withdrawal that two operators have to approve, and returns it: it stays in review. Null
 * where nobody else is needed any more. Run it in the transaction of the approval. Throws Refused for the first operator
 * again, and for the shell after anybody.
 */
export async function needSecond(
  tx: Tx,
  { clock }: Pick<Operator, "clock">,
  id: number,
  caller: CommandInput["caller"] = SHELL,
): Promise<Withdrawal | null> {
  const [withdrawal] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id));
  const most = await mostForOne(tx);
  if (withdrawal?.status !== "review" || most === 0 || withdrawal.amount <= most) return null;
  const row = { withdrawalId: id, operatorId: caller.id, who: caller.who, at: clock.now() };
  const made = await tx
    .insert(withdrawalApprovals)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: withdrawalApprovals.withdrawalId });
  if (made.length > 0) return withdrawal;
  const isOwn = eq(withdrawalApprovals.withdrawalId, id);
  const [first] = await tx
    .select({
      who: withdrawalApprovals.who,
      operatorId: withdrawalApprovals.operatorId,
      state: operators.state,
      roles: operators.roles,
    })
    .from(withdrawalApprovals)
    .leftJoin(operators, eq(operators.id, withdrawalApprovals.operatorId))
    .where(isOwn);
  const isHere = first!.state !== "removed" && mayRun(first!.roles ?? [], COMMAND);
  const mayApprove = first!.operatorId === null || isHere;
  if (!mayApprove) {
    // Whoever was removed, or has other roles now, approves nothing any more.
    const place = and(isOwn, eq(withdrawalApprovals.operatorId, first!.operatorId!));
    await tx.update(withdrawalApprovals).set(row).where(place);
    return withdrawal;
  }
  if (caller.id === null)
    throw new Refused(`${first!.who} approved it first, and the shell is never the second person: use the console`);
  if (caller.id === first!.operatorId) throw new Refused("you approved it first: another operator has to follow");
  return null;
}

async function mostForOne(tx: Tx): Promise<number> {
  const settings = new Settings({ read: tx });
  await settings.load();
  return fromUnits(settings.get<number>("withdraw_two_persons"));
}
