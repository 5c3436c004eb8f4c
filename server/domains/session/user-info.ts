import { eq } from "drizzle-orm";
import type { Deps } from "#server/app/deps.ts";
import type { Tx } from "#db/db.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { memberWireId, readMember } from "#server/domains/account/find-member.ts";
import { signedBalance, signedChain } from "#server/domains/log/sign-chain.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import { formatMoney } from "#shared/format.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";

/** A member as they see themselves. */
export async function readUserInfo(
  read: Tx,
  deps: Pick<Deps, "settings" | "clock" | "publicLog">,
  { memberId, ip, locale }: { memberId: number; ip: string; locale: LocaleCode },
): Promise<UserInfo> {
  const { settings, clock } = deps;
  const member = await readMember(read, memberId);
  const { balance, version } = await readWallet(read, memberId);
  const [bank] = await read
    .select({ memberId: bankAccounts.memberId })
    .from(bankAccounts)
    .where(eq(bankAccounts.memberId, memberId));
  const unit = settings.get<string>("unit");
  return {
    id: memberWireId(memberId),
    username: member.username,
    header_img: member.avatar,
    name: member.realName ?? "",
    sex: member.sex,
    point: unit === "point" ? Math.floor(balance / 100) : 0,
    money: toDecimal(balance),
    money_value: formatMoney(balance, unit, locale),
    status: member.locked ? 0 : 1,
    paypassword: member.payPinHash === null ? 0 : 1,
    is_see: member.memberUntil > clock.now() ? 1 : 0,
    free_see_time: settings.get<number>("free_see_time"),
    member_until: toSeconds(member.memberUntil),
    ip,
    is_bank: bank ? 1 : 0,
    has_password: member.passwordHash === null ? 0 : 1,
    keeps_history: member.keepsHistory ? 1 : 0,
    version,
    chain: await signedChain(read, deps, memberId),
    balance_note: signedBalance(deps, memberId, { version, balance }),
  };
}
