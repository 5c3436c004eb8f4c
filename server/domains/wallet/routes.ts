import { and, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Tx } from "#db/db.ts";
import { plans } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { readWallet, refuseOnBreak } from "#server/domains/ledger/wallet.ts";
import { signedChain } from "#server/domains/log/sign-chain.ts";
import { serve, serveCached, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/wallet.ts";
import { localTexts } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";
import { DailyTotals } from "./daily-totals.ts";
import { limitsView, writeLimits } from "./limits.ts";
import { readMoneyLog } from "./money-log.ts";
import { readReport } from "./report.ts";
import { readReportSeries } from "./report-series.ts";

/** A member's money over HTTP. */
export function walletRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serveCached(app, deps, contract.moneyLog, ({ input, caller, locale }) =>
    readMoneyLog(db.read, deps, { memberId: caller.memberId, locale, ...input }),
  );

  serve(app, deps, contract.personalReport, ({ caller }) => readReport(db.read, caller.memberId));

  const totals = new DailyTotals();
  serve(app, deps, contract.reportSeries, ({ input: { by }, caller: { memberId } }) =>
    readReportSeries(db.read, totals, { memberId, by, now: deps.clock.now() }),
  );

  serve(app, deps, contract.plans, async ({ locale }) => {
    const sold = await db.read.select().from(plans).where(eq(plans.sold, true)).orderBy(plans.position);
    return sold.map(({ id, name, days, price }) => ({
      id,
      days,
      ...localTexts({ name }, locale),
      price: toDecimal(price),
    }));
  });

  serveWrite(app, deps, contract.buyPlan, async (tx, { input, caller }) => {
    const memberUntil = await buyPlan(tx, deps, caller.memberId, input);
    const { balance } = await readWallet(tx, caller.memberId);
    const chain = await signedChain(tx, deps, caller.memberId);
    return { member_until: toSeconds(memberUntil), money: toDecimal(balance), chain };
  });

  serve(app, deps, contract.getLimits, ({ caller }) => limitsView(db.read, caller.memberId, deps.clock.now()));

  serveWrite(app, deps, contract.setLimits, async (tx, { input, caller }) => {
    await writeLimits(tx, caller.memberId, input, deps.clock.now());
    return limitsView(tx, caller.memberId, deps.clock.now());
  });
}

/** A plan, with the price and the days that the member was shown, where the client says them. */
interface Wanted {
  id: string;
  price?: string | undefined;
  days?: number | undefined;
}

/** Buys membership from the balance. Returns when it will end. */
async function buyPlan(tx: Tx, deps: Deps, memberId: number, { id: planId, price, days }: Wanted): Promise<number> {
  await refuseOnBreak(tx, memberId, deps.clock.now());
  const [plan] = await tx
    .select()
    .from(plans)
    .where(and(eq(plans.id, planId), eq(plans.sold, true)));
  if (!plan) throw new Refusal("object.unknown");
  if ((price ?? toDecimal(plan.price)) !== toDecimal(plan.price) || (days ?? plan.days) !== plan.days)
    throw new Refusal("plan.changed");
  // The days too: the plan may have others later, and the audit compares what was sold with what was given.
  const cause = `${planId}:${plan.days}d:${memberId}:${Buffer.from(deps.random(12)).toString("base64url")}`;
  const order = { code: "plan", cause, memberId, account: "house:plans", amount: -plan.price } as const;
  await transfer(tx, deps, { ...order, days: plan.days });
  return extendMembership(tx, deps, memberId, plan.days);
}
