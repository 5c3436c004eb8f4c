import { desc, eq } from "drizzle-orm";
import { members } from "#db/schema/member.ts";
import { deposits } from "#db/schema/payments.ts";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";
import type { Command } from "./command.ts";
import { needMember, readAmount, readReason } from "./read-words.ts";

const NEWEST = 200;

export const rechargeList: Command = {
  usage: "",
  does: `Lists the newest ${NEWEST} top-ups`,
  async run({ db }) {
    const rows = await db.read
      .select({ deposit: deposits, username: members.username })
      .from(deposits)
      .innerJoin(members, eq(members.id, deposits.memberId))
      .orderBy(desc(deposits.id))
      .limit(NEWEST);
    const list = rows.map(({ deposit, username }) => ({
      id: deposit.orderNo,
      username,
      money: toDecimal(deposit.amount),
      status: RECHARGE_STATUS[deposit.status],
      status_text: deposit.status,
      channel: deposit.channel,
      create_time: toSeconds(deposit.createdAt),
    }));
    const lines = list.map(
      (row) => `${row.id}  ${row.username.padEnd(21)} ${row.money.padStart(16)}  ${row.status_text}`,
    );
    return { text: lines.join("\n") || "There are no top-ups yet.", json: list };
  },
};

export const rechargeCredit: Command = {
  usage: "NAME AMOUNT --reason T",
  does: "Books a top-up that came outside every channel; it stands in the member's list with the reason",
  async run(operator, { args, options }) {
    const [amount, reason] = [readAmount(args.AMOUNT!), readReason(options.reason)];
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    const change = await operator.db.transact((tx) => creditDeposit(tx, operator, { memberId: id, amount, reason }));
    const [transfer, money] = [`trf_${change.transferId}`, toDecimal(change.balance)];
    return {
      text: `${username} topped up ${toDecimal(amount)} and has ${money} now.`,
      json: { ok: true, transfer, money },
    };
  },
};
