import { and, count, eq, isNull } from "drizzle-orm";
import { sessions } from "#db/schema/session.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { extendMembership, lockMember } from "#server/domains/account/change-status.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { readPasskeys } from "#server/domains/account/read-passkeys.ts";
import { readJournal } from "#server/domains/ledger/journal.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";
import { type Command, Misused } from "./command.ts";
import { needKnown, needMember, readAmount, readNumber, readPassword, readReason, readUsername } from "./read-words.ts";

export const memberAdd: Command = {
  usage: "NAME",
  does: "Adds a member, without an invite; the password is typed, or comes from standard input",
  more: () => "  --password P  the password, where nobody else can read this machine's processes and history",
  secretOption: "password",
  asks: ({ args }) => `Password of ${readUsername(args.NAME!)}`,
  async run({ db, clock }, { args, secret = "" }) {
    const username = readUsername(args.NAME!);
    const passwordHash = await new Passwords(null).hash(readPassword(secret), OPERATOR);
    const id = await db.transact((tx) => addMember(tx, { username, passwordHash }, clock.now()));
    return { text: `${username} is a member now.`, json: { ok: true, id: memberWireId(id), username } };
  },
};

const ENTRIES = 10;

export const memberShow: Command = {
  usage: "NAME",
  does: "Shows a member: account status, balance and newest ledger entries",
  reads: true,
  async run({ db }, { args }) {
    const member = await needKnown(db.read, args.NAME!);
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
      passkeys: (await readPasskeys(db.read, member.id)).map(({ name, rpId, createdAt, lastUsedAt }) => ({
        name,
        site: rpId,
        created: toSeconds(createdAt),
        last_used: toSeconds(lastUsedAt ?? 0),
      })),
      demo: member.demo,
      entries,
    };
    return { text: JSON.stringify(json, null, 2), json };
  },
};

export const memberKick: Command = {
  usage: "NAME [--reason T]",
  local: ["reason"],
  does: "Logs a member out of every device and shows them the reason",
  async run(operator, { args, options }) {
    const member = await needMember(operator.db.read, args.NAME!);
    const reason = options.reason === undefined ? null : readReason(options.reason);
    const sessions = await operator.db.transact((tx) => kickMember(tx, operator, member.id, reason));
    return { text: `${sessions} sessions of ${member.username} ended.`, json: { ok: true, sessions } };
  },
};

const lock = (locked: boolean, does: string): Command => ({
  usage: "NAME [--reason T]",
  local: ["reason"],
  does,
  more: () =>
    "T is a text, or JSON by language. The member reads it among their messages, and when they cannot log in; without it, that no reason was given.",
  async run(operator, { args, options }) {
    const facts = options.reason === undefined ? {} : { reason: readReason(options.reason) };
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    await operator.db.transact(async (tx) => {
      await lockMember(tx, operator, id, locked);
      await tellSecurity(tx, operator, id, locked ? "locked" : "unlocked", facts);
    });
    return { text: `${username} is ${locked ? "locked" : "no longer locked"}.`, json: { ok: true, locked } };
  },
});

export const memberLock = lock(
  true,
  "Locks a member: they can read but not act; their balance stays theirs, and they read the reason",
);
export const memberUnlock = lock(false, "Unlocks a member, who reads the reason");

const DAYS = [1, 3_660] as const;

export const memberActivate: Command = {
  usage: "NAME --days N",
  bounds: { days: DAYS },
  does: "Extends a membership by N days",
  async run(operator, { args, options }) {
    const days = readNumber(options.days!, "--days", ...DAYS);
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    const until = await operator.db.transact((tx) => extendMembership(tx, operator, id, days));
    const text = `The membership of ${username} runs until ${new Date(until).toISOString()}.`;
    return { text, json: { ok: true, member_until: toSeconds(until) } };
  },
};

export const memberCredit: Command = {
  usage: "NAME AMOUNT --reason T",
  local: ["reason"],
  does: "Credits a member; the reason appears in their balance changes",
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
  local: ["reason"],
  does: "Reverses a credit of member:credit, in full and once; nothing else can be reversed",
  async run(operator, { args, options }) {
    const id = /^trf_(\d{1,15})$/.exec(args.TRANSFER!)?.[1];
    if (!id) throw new Misused("TRANSFER looks like trf_12, as member:credit and member:show print it");
    const reason = readReason(options.reason);
    const { balance, delta } = await operator.db.transact((tx) => reverseCredit(tx, operator, Number(id), reason));
    const text = `${toDecimal(-delta)} was taken back; the balance is ${toDecimal(balance)} now.`;
    return { text, json: { ok: true, money: toDecimal(balance) } };
  },
};
