import { and, count, eq, ne } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { bankAccounts, withdrawals } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { readCooling } from "#server/domains/account/cooling.ts";
import { coolingEnd } from "#server/domains/account/time-left.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { getUserWithdrawRole } from "#shared/contract/withdrawals.ts";
import { formatMoney } from "#shared/format.ts";
import { packText, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { fromUnits, toDecimal, type Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { dayOf } from "#shared/time.ts";
import { readDebt, refuseDebt } from "./debts.ts";

type Needs = Pick<Deps, "settings" | "clock" | "text">;

const rulesOf = ({ settings }: Pick<Deps, "settings">) => ({
  min: fromUnits(settings.get<number>("min_withdraw")),
  max: fromUnits(settings.get<number>("max_withdraw")),
  dailyCount: settings.get<number>("daily_withdraw_count"),
});

/** How many withdrawals of a member count towards a day. Refused ones do not. */
async function countWithdrawals(read: Tx, memberId: number, day: number): Promise<number> {
  const [counted] = await read
    .select({ used: count() })
    .from(withdrawals)
    .where(and(eq(withdrawals.memberId, memberId), eq(withdrawals.day, day), ne(withdrawals.status, "refused")));
  return counted!.used;
}

/** The rules of a withdrawal, and how many of today's are used up. */
export async function readRules(
  read: Tx,
  deps: Needs,
  { memberId, locale }: { memberId: number; locale: LocaleCode },
): Promise<ReplyOf<typeof getUserWithdrawRole>> {
  const { min, max, dailyCount } = rulesOf(deps);
  const coolingUntil = coolingEnd(await readCooling(read, memberId), deps.clock.now());
  return {
    min: toDecimal(min),
    max: toDecimal(max),
    daily_count: dailyCount,
    used_today: await countWithdrawals(read, memberId, dayOf(deps.clock.now())),
    arrival: deps.text(locale, "withdraw.arrival"),
    closed: deps.settings.get("close_withdraw") === 1 ? 1 : 0,
    debt: toDecimal(await readDebt(read, memberId)),
    cooling_until_ms: coolingUntil,
  };
}

export interface WithdrawalRequest {
  memberId: number;
  amount: Money;
  locale: LocaleCode;
}

/** The checks before the passcode: withdrawals are open, the account is complete, the amount is within the limits. */
export async function refuseUnfit(
  read: Tx,
  deps: Needs,
  { memberId, amount, locale, byPasskey = false }: WithdrawalRequest & { byPasskey?: boolean },
): Promise<void> {
  if (deps.settings.get("close_withdraw") === 1) throw closed(deps);
  const { realName, payPinHash } = await readMember(read, memberId);
  if (realName === null) throw new Refusal("name.missing");
  await refuseUnbound(read, memberId);
  if (!byPasskey && payPinHash === null) throw new Refusal("passcode.missing");
  await refuseDebt(read, memberId);
  const { min, max } = rulesOf(deps);
  if (amount < min || amount > max) throw beyondLimits(deps, locale);
}

/** Refuses a member without a bank account. Also asked in the transaction: it may have been unbound meanwhile. */
export async function refuseUnbound(read: Tx, memberId: number): Promise<void> {
  const [bank] = await read
    .select({ memberId: bankAccounts.memberId })
    .from(bankAccounts)
    .where(eq(bankAccounts.memberId, memberId));
  if (!bank) throw new Refusal("bank.missing");
}

/** Refuses one withdrawal too many for the day. Call it in the transaction that has locked the member's wallet. */
export async function refuseTooMany(
  tx: Tx,
  deps: Needs,
  { memberId, locale }: WithdrawalRequest,
  day: number,
): Promise<void> {
  if ((await countWithdrawals(tx, memberId, day)) > rulesOf(deps).dailyCount) throw beyondLimits(deps, locale);
}

function closed({ settings }: Needs): Refusal {
  const text = packText(settings.get<LocalText>("close_withdraw_reason"));
  return new Refusal("withdraw.closed", text ? { text } : {});
}

/** A refusal that names the house's limits, not those that members set for themselves. */
function beyondLimits(deps: Needs, locale: LocaleCode): Refusal {
  const { min, max, dailyCount } = rulesOf(deps);
  const shown = (amount: Money) => formatMoney(amount, deps.settings.get<string>("unit"), locale);
  const values = { min: shown(min), max: shown(max), times: dailyCount };
  const figures = { min: toDecimal(min), max: toDecimal(max), times: dailyCount };
  return new Refusal("withdraw.range", { text: deps.text(locale, "refusal.withdraw.range", values), figures });
}
