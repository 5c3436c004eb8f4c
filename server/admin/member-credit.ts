import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { toDecimal } from "#shared/money.ts";
import { Misused, type Command } from "./command.ts";
import { needMember, readAmount, readReason } from "./read-words.ts";

export const memberCredit: Command = {
  usage: "NAME AMOUNT --reason T",
  does: "Gives a member an amount; the reason stands in their money log",
  async run(operator, { args, options }) {
    const [amount, reason] = [readAmount(args.AMOUNT!), readReason(options.reason)];
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    const change = await operator.db.transact((tx) => creditMember(tx, operator, id, amount, reason));
    const [transfer, money] = [`trf_${change.transferId}`, toDecimal(change.balance)];
    const text = `${username} was credited ${toDecimal(amount)} (${transfer}) and has ${money} now.`;
    return { text, json: { ok: true, transfer, money } };
  },
};

export const memberReverse: Command = {
  usage: "TRANSFER --reason T",
  does: "Takes back an operator's own credit, whole and once; nothing else can be reversed",
  async run(operator, { args, options }) {
    const id = /^trf_(\d{1,15})$/.exec(args.TRANSFER!)?.[1];
    if (!id) throw new Misused("TRANSFER looks like trf_12, as member:credit and member:show print it");
    const reason = readReason(options.reason);
    const { balance, delta } = await operator.db.transact((tx) => reverseCredit(tx, operator, Number(id), reason));
    const text = `${toDecimal(-delta)} was taken back; the balance is ${toDecimal(balance)} now.`;
    return { text, json: { ok: true, money: toDecimal(balance) } };
  },
};
