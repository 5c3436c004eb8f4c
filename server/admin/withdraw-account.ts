import { eq } from "drizzle-orm";
import { bankAccounts, withdrawals } from "#db/schema/payments.ts";
import { openKeys } from "#server/config/master-key.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { bankName } from "#server/domains/payments/banks.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import { toDecimal } from "#shared/money.ts";
import { Refused, type Command } from "./command.ts";
import { readWithdrawal } from "./withdraw.ts";

/** It writes nothing, and is noted all the same: it tells what is stored encrypted and masked everywhere else. */
export const withdrawAccount: Command = {
  usage: "ID",
  does: "Shows the whole number of the account that an approved withdrawal is paid to; that it was asked for is noted",
  more: () => "Only of one that is approved and not paid yet. Lists and logs never show the whole number.",
  async run({ db, config, clock }, { args }) {
    const id = readWithdrawal(args.ID!);
    const name = withdrawalWireId(id);
    const [row] = await db.read
      .select({ withdrawal: withdrawals, account: bankAccounts })
      .from(withdrawals)
      .leftJoin(bankAccounts, eq(bankAccounts.memberId, withdrawals.memberId))
      .where(eq(withdrawals.id, id));
    if (!row) throw new Refused(`there is no withdrawal ${name}`);
    const { withdrawal, account } = row;
    if (withdrawal.status !== "approved" || !account)
      throw new Refused(`${name} is ${withdrawal.status}: the number is shown of an approved one alone`);
    const { keys, isOwn } = await openKeys(db.read, config, clock);
    if (!isOwn) throw new Refused("The master key here belongs to another database.");
    const bankid = openNumber({ keys }, withdrawal.memberId, account.sealed);
    const bank = bankName(account.bankCode) ?? account.bankCode;
    const { holder, mobile } = account;
    const money = toDecimal(withdrawal.amount);
    return {
      text: `${name}: pay ${money} to ${holder}, ${bank} ${bankid}`,
      json: { ok: true, id: name, money, bank, bankid, holder, mobile },
    };
  },
};
