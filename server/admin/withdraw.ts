import { desc, eq, not } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { withdrawalApprovals } from "#db/schema/operators.ts";
import { bankAccounts, withdrawals } from "#db/schema/payments.ts";
import { coolingEnd } from "#server/domains/account/time-left.ts";
import { bankName } from "#server/domains/payments/banks.ts";
import * as decide from "#server/domains/payments/decide-withdrawal.ts";
import { maskNumber } from "#server/domains/payments/read-bank.ts";
import { withdrawalOfWireId, withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import { WITHDRAW_STATUS } from "#shared/contract/withdrawals.ts";
import { FALLBACK_LOCALE, readPacked } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { SECOND_MS, toIso, toSeconds } from "#shared/time.ts";
import { Misused, type Command, type CommandOutput } from "./command.ts";
import { readReason } from "./read-words.ts";
import { needSecond } from "./second-person.ts";
import { isOpenWithdrawal, MOST_DONE, MOST_WAITING } from "./waiting.ts";

/** All that wait, and the newest others: the newest first. */
async function readRows(read: Tx) {
  const asked = () =>
    read
      .select({
        withdrawal: withdrawals,
        username: members.username,
        cools: members.coolingUntil,
        bank: bankAccounts,
        first: withdrawalApprovals.who,
      })
      .from(withdrawals)
      .innerJoin(members, eq(members.id, withdrawals.memberId))
      .leftJoin(bankAccounts, eq(bankAccounts.memberId, withdrawals.memberId))
      .leftJoin(withdrawalApprovals, eq(withdrawalApprovals.withdrawalId, withdrawals.id));
  const [open, others] = await Promise.all([
    asked().where(isOpenWithdrawal).orderBy(withdrawals.id).limit(MOST_WAITING),
    asked().where(not(isOpenWithdrawal)).orderBy(desc(withdrawals.id)).limit(MOST_DONE),
  ]);
  return [...open, ...others].sort((a, b) => b.withdrawal.id - a.withdrawal.id);
}

export const withdrawList: Command = {
  usage: "",
  does: `Lists all withdrawals that wait and the newest ${MOST_DONE} others, with their bank accounts; account numbers are masked`,
  reads: true,
  async run({ db, clock }) {
    const rows = await readRows(db.read);
    const list = rows.map(({ withdrawal, username, cools, bank, first }) => ({
      id: withdrawalWireId(withdrawal.id),
      username,
      money: toDecimal(withdrawal.amount),
      status: WITHDRAW_STATUS[withdrawal.status],
      status_text: withdrawal.status,
      bank: bank && (bankName(bank.bankCode) ?? bank.bankCode),
      bankid: bank && maskNumber(bank.last4),
      holder: bank?.holder ?? null,
      mobile: bank?.mobile ?? null,
      first_approved_by: first,
      desc: readPacked(withdrawal.reason ?? "", FALLBACK_LOCALE),
      cooling_until: toSeconds(coolingEnd(cools, clock.now())),
      create_time: toSeconds(withdrawal.createdAt),
      update_time: toSeconds(withdrawal.updatedAt),
    }));
    const lines = list.map(
      ({ id, username, money, status_text, bank, bankid, holder, cooling_until: cools, first_approved_by: first }) =>
        `${id.padEnd(10)} ${username.padEnd(21)} ${money.padStart(16)}  ${status_text.padEnd(9)} ${bank} ${bankid} ${holder}` +
        (cools > 0 ? `  cools until ${toIso(cools * SECOND_MS)}` : "") +
        (first === null ? "" : `  first approved by ${first}`),
    );
    return { text: lines.join("\n") || "There are no withdrawals yet.", json: list };
  },
};

/** The row of a withdrawal, as an operator names it. */
export function readWithdrawal(word: string): number {
  const id = withdrawalOfWireId(word);
  if (id === undefined) throw new Misused("ID looks like W-12, as members see it, or wdr_12");
  return id;
}

function outcome({ id, status, amount }: decide.Withdrawal, what: string): CommandOutput {
  const json = { ok: true, id: withdrawalWireId(id), status: WITHDRAW_STATUS[status], money: toDecimal(amount) };
  return { text: `${json.id} over ${json.money} is ${what}.`, json };
}

export const withdrawApprove: Command = {
  usage: "ID",
  does: "Approves a withdrawal in review; the amount stays held until withdraw:pay",
  more: () => "Over the setting withdraw_two_persons it takes two operators, and the shell is never the second.",
  async run(operator, { args, caller }) {
    const id = readWithdrawal(args.ID!);
    return operator.db.transact(async (tx) => {
      const waiting = await needSecond(tx, operator, id, caller);
      if (waiting) return outcome(waiting, "approved by the first operator, and waits for a second");
      return outcome(await decide.approveWithdrawal(tx, operator, id), "approved");
    });
  },
};

export const withdrawReject: Command = {
  usage: "ID --reason T",
  local: ["reason"],
  does: "Rejects an unpaid withdrawal and returns the amount; the member sees the reason",
  async run(operator, { args, options }) {
    const [id, reason] = [readWithdrawal(args.ID!), readReason(options.reason)];
    const refused = await operator.db.transact((tx) => decide.refuseWithdrawal(tx, operator, id, reason));
    return outcome(refused, "refused, and its amount returned");
  },
};

export const withdrawPay: Command = {
  usage: "ID",
  does: "Records that an approved withdrawal was paid out; this cannot be undone",
  async run(operator, { args }) {
    const id = readWithdrawal(args.ID!);
    return outcome(await operator.db.transact((tx) => decide.payWithdrawal(tx, operator, id)), "paid");
  },
};
