import { and, count, eq, isNull } from "drizzle-orm";
import { sessions } from "#db/schema/session.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { extendMembership, lockMember } from "#server/domains/account/change-status.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { readJournal } from "#server/domains/ledger/journal.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";
import { type Command, Misused } from "./command.ts";
import { needMember, readAmount, readNumber, readPassword, readReason, readUsername } from "./read-words.ts";

export const memberAdd: Command = {
  usage: "NAME --password P",
  does: "Makes a member, without an invite",
  async run({ db, clock, random }, { args, options }) {
    const username = readUsername(args.NAME!);
    const passwordHash = await new Passwords(random).hash(readPassword(options.password!));
    const id = await db.transact((tx) => addMember(tx, { username, passwordHash }, clock.now()));
    return { text: `${username} is a member now.`, json: { ok: true, id: memberWireId(id), username } };
  },
};

const ENTRIES = 10;

export const memberShow: Command = {
  usage: "NAME",
  does: "Shows a member, their standing and their last entries",
  async run({ db }, { args }) {
    const member = await needMember(db.read, args.NAME!);
    const wallet = await readWallet(db.read, member.id);
    const [open] = await db.read
      .select({ sessions: count() })
      .from(sessions)
      .where(and(eq(sessions.memberId, member.id), isNull(sessions.endedAt)));
    const newest = await readJournal(db.read, member.id, Math.max(1, wallet.version - ENTRIES + 1), wallet.version);
    const entries = newest.map(({ kind, rowId, code, delta, balance, version, at, reason }) => ({
      id: kind === "transfer" ? `trf_${rowId}` : null,
      type: code,
      version,
      reason,
      time: toSeconds(at),
      money: toDecimal(delta),
      balance: toDecimal(balance),
    }));
    const json = {
      id: memberWireId(member.id),
      username: member.username,
      status: member.locked ? 0 : 1,
      money: toDecimal(wallet.balance),
      version: wallet.version,
      member_until: toSeconds(member.memberUntil),
      exclude_until: toSeconds(wallet.excludedUntil),
      sessions: open!.sessions,
      demo: member.demo,
      entries,
    };
    return { text: JSON.stringify(json, null, 2), json };
  },
};

export const memberKick: Command = {
  usage: "NAME [--reason T]",
  does: "Logs a member out everywhere, telling them why",
  async run(operator, { args, options }) {
    const member = await needMember(operator.db.read, args.NAME!);
    const reason = options.reason === undefined ? null : readReason(options.reason);
    const sessions = await operator.db.transact((tx) => kickMember(tx, operator, member.id, reason));
    return { text: `${sessions} sessions of ${member.username} ended.`, json: { ok: true, sessions } };
  },
};

const lock = (locked: boolean, does: string): Command => ({
  usage: "NAME",
  does,
  async run(operator, { args }) {
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    await operator.db.transact((tx) => lockMember(tx, operator, id, locked));
    return { text: `${username} is ${locked ? "locked" : "no longer locked"}.`, json: { ok: true, locked } };
  },
});

export const memberLock = lock(true, "Locks a member out of everything but looking; what they hold stays theirs");
export const memberUnlock = lock(false, "Lets a locked member back in");

const MOST_DAYS = 3_660;

export const memberActivate: Command = {
  usage: "NAME --days N",
  does: "Adds days of membership",
  async run(operator, { args, options }) {
    const days = readNumber(options.days!, "--days", 1, MOST_DAYS);
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    const until = await operator.db.transact((tx) => extendMembership(tx, operator, id, days));
    const text = `The membership of ${username} runs until ${new Date(until).toISOString()}.`;
    return { text, json: { ok: true, member_until: toSeconds(until) } };
  },
};

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
