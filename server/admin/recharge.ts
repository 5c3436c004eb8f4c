import { desc, eq } from "drizzle-orm";
import { members } from "#db/schema/member.ts";
import { deposits } from "#db/schema/payments.ts";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import type { Deposit } from "#server/domains/payments/order-deposit.ts";
import {
  creditOf,
  creditReviewed,
  finishRefund,
  listReviews,
  refundReviewed,
} from "#server/domains/payments/review.ts";
import { finishSurplus, listSurpluses } from "#server/domains/payments/surplus.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import { toDecimal } from "#shared/money.ts";
import { recordNumber, rowOfNumber } from "#shared/record-number.ts";
import { toSeconds } from "#shared/time.ts";
import { type Command, type CommandOutput, Misused, type Operator } from "./command.ts";
import { needMember, readAmount, readReason } from "./read-words.ts";

const NEWEST = 200;

export const rechargeList: Command = {
  usage: "",
  does: `Lists the newest ${NEWEST} top-ups`,
  reads: true,
  async run({ db }) {
    const rows = await db.read
      .select({ deposit: deposits, username: members.username })
      .from(deposits)
      .innerJoin(members, eq(members.id, deposits.memberId))
      .orderBy(desc(deposits.id))
      .limit(NEWEST);
    const list = rows.map(({ deposit, username }) => ({
      id: deposit.orderNo,
      number: recordNumber("deposit", deposit.id),
      username,
      money: toDecimal(deposit.amount),
      status: RECHARGE_STATUS[deposit.status],
      status_text: deposit.status,
      channel: deposit.channel,
      create_time: toSeconds(deposit.createdAt),
    }));
    const lines = list.map(
      (row) =>
        `${row.number.padEnd(10)} ${row.id}  ${row.username.padEnd(21)} ${row.money.padStart(16)}  ${row.status_text}`,
    );
    return { text: lines.join("\n") || "There are no top-ups yet.", json: list };
  },
};

export const rechargeCredit: Command = {
  usage: "NAME AMOUNT --reason T",
  local: ["reason"],
  does: "Credits a top-up that was paid outside every channel; the member sees it with the reason",
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

export const rechargeReview: Command = {
  usage: "[--credit ID] [--refund ID] [--refunded ID] [--reason T]",
  local: ["reason"],
  does: "Lists payments that wait for a decision, or decides one: credit it, or refund it with a reason",
  more: () =>
    [
      "A payment waits here when its order had expired and the member may not top up now, when it was paid in part, or",
      "when the balance has no room. --credit books what was received; --refund makes the channel return it. If a",
      "channel cannot refund by itself, refund the payment with the provider, then use --refunded.",
      "A surplus is what came beyond what was credited or refunded. Return it with the provider, then use --refunded.",
    ].join("\n"),
  reads: ({ options }) => Object.values(options).every((option) => option === undefined),
  async run(operator, { options }) {
    const { reason } = options;
    const [credit, refund, refunded] = await Promise.all(
      [options.credit, options.refund, options.refunded].map(async (word) => word && orderNoOf(operator, word)),
    );
    const chosen = [credit, refund, refunded].filter((id) => id !== undefined);
    if (chosen.length > 1) throw new Misused("give one of --credit, --refund and --refunded");
    if (credit !== undefined) {
      const why = readReason(reason);
      const one = await operator.db.transact((tx) => creditReviewed(tx, operator, credit, why));
      return outcome(one, "credited", `credited with ${toDecimal(creditOf(one))}`);
    }
    if (refund !== undefined) {
      const why = readReason(reason);
      const one = await operator.db.transact((tx) => refundReviewed(tx, operator, refund, why));
      return outcome(
        one,
        "refunding",
        "is refunded by its channel within a minute, while a server runs; if not, do it by hand",
      );
    }
    if (refunded !== undefined) return finish(operator, refunded);
    return listReviewed(operator);
  },
};

/** The order number of a top-up, given that or the number which members see. */
async function orderNoOf({ db }: Operator, word: string): Promise<string> {
  const row = rowOfNumber("deposit", word);
  if (row === undefined) return word;
  const [found] = await db.read.select({ orderNo: deposits.orderNo }).from(deposits).where(eq(deposits.id, row));
  return found?.orderNo ?? word;
}

/** Books a refund made by hand: of the whole payment, or of the surplus. */
async function finish(operator: Operator, orderNo: string): Promise<CommandOutput> {
  const surpluses = await listSurpluses(operator.db.read);
  if (surpluses.some(({ deposit }) => deposit.orderNo === orderNo))
    return outcome(
      await operator.db.transact((tx) => finishSurplus(tx, operator, orderNo)),
      "surplus returned",
      "had a surplus, which is returned",
    );
  const one = await operator.db.transact((tx) => finishRefund(tx, operator, orderNo));
  return outcome(one, "refunded", `is refunded with ${toDecimal(one.received ?? 0)}`);
}

const outcome = ({ orderNo }: Deposit, status: string, text: string): CommandOutput => ({
  text: `${orderNo} ${text}.`,
  json: { ok: true, id: orderNo, status },
});

async function listReviewed({ db }: Operator): Promise<CommandOutput> {
  const reviews = (await listReviews(db.read)).map((row) => ({ ...row, surplus: 0 }));
  const rows = [...reviews, ...(await listSurpluses(db.read))].map(({ deposit, username, surplus }) => ({
    id: deposit.orderNo,
    username,
    channel: deposit.channel,
    reference: deposit.reference,
    unit: deposit.unit,
    money: toDecimal(deposit.amount),
    fee: toDecimal(deposit.fee),
    received: toDecimal(deposit.received ?? 0),
    surplus: toDecimal(surplus),
    status: RECHARGE_STATUS[deposit.status],
    status_text: surplus > 0 ? `surplus ${toDecimal(surplus)}` : deposit.status,
    create_time: toSeconds(deposit.createdAt),
  }));
  const lines = rows.map(
    (row) =>
      `${row.id}  ${row.username.padEnd(21)} ${row.channel.padEnd(9)} ordered ${row.money}, received ${row.received} ` +
      `${row.unit}  ${row.status_text}`,
  );
  return { text: lines.join("\n") || "No payment waits for a decision.", json: rows };
}
