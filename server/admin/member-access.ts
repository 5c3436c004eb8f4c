import { Settings } from "#server/app/settings.ts";
import type { SettingsReader } from "#server/app/deps.ts";
import type { OperatorChange } from "#server/domains/account/add-message.ts";
import { resetPasscode } from "#server/domains/account/passcode.ts";
import { dropPasskeys } from "#server/domains/account/read-passkeys.ts";
import { dropRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { renameMember } from "#server/domains/account/real-name.ts";
import { tellChange } from "#server/domains/account/security-message.ts";
import { openWithdrawals, unbindBank } from "#server/domains/payments/unbind-bank.ts";
import { readHolder } from "#server/domains/payments/read-bank.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { resetPassword } from "#server/domains/session/reset-password.ts";
import type { Member } from "#server/domains/account/find-member.ts";
import type { Tx } from "#db/db.ts";
import { RealName } from "#shared/contract/values.ts";
import { isSameName } from "#shared/names.ts";
import { toIso, toSeconds } from "#shared/time.ts";
import { type Command, type CommandInput, Misused, type Operator, Refused } from "./command.ts";
import { needMember, readReason } from "./read-words.ts";

type Access = Operator & { settings: SettingsReader };

interface Changed {
  /** What the operator reads. */
  text: string;
  json?: Record<string, unknown>;
}

interface Change {
  usage?: string;
  does: string;
  more?: string;
  what: OperatorChange;
  /** Runs in the transaction that also tells the member. */
  change(
    tx: Tx,
    operator: Access,
    on: { member: Member; reason: string; options: CommandInput["options"] },
  ): Promise<Changed>;
}

/** A command that gives a member a way back: they read the reason, and their withdrawals wait for the cooling time. */
const wayBack = ({ usage = "NAME --reason T", does, more, what, change }: Change): Command => ({
  usage,
  local: ["reason"],
  does,
  more: () =>
    [
      ...(more === undefined ? [] : [more]),
      "T is a text, or JSON by language; the member reads it among their messages. Until the cooling time is over (the",
      "setting cooling_hours), none of their withdrawals is approved or paid.",
    ].join("\n"),
  async run(operator, { args, options }) {
    const reason = readReason(options.reason);
    const member = await needMember(operator.db.read, args.NAME!);
    const settings = new Settings(operator.db);
    await settings.load();
    const access = { ...operator, settings };
    const { text, json, until } = await operator.db.transact(async (tx) => {
      const changed = await change(tx, access, { member, reason, options });
      return { ...changed, until: await tellChange(tx, access, member.id, what, reason) };
    });
    const isCooling = until > operator.clock.now();
    const cools = isCooling ? `\nNo withdrawal is approved or paid until ${toIso(until)}.` : "";
    return {
      text: text + cools,
      json: { ok: true, ...json, cooling_until: isCooling ? toSeconds(until) : 0 },
    };
  },
});

export const memberResetPassword = wayBack({
  what: "resetPassword",
  does: "Takes a password, passkeys and recovery codes away, ends every session, and prints a secret for the next password",
  more: [
    "Make sure first that you speak to the member. Hand the secret over on a way that only they can read. They log in",
    "with it in the place of the password, once and within a day, and choose a password then, which nobody else knows.",
  ].join("\n"),
  async change(tx, operator, { member: { id, username }, reason }) {
    const { secret, expiresAt, passkeys } = await resetPassword(tx, operator, id, reason);
    const removed = passkeys === 1 ? "\n1 passkey was removed." : `\n${passkeys} passkeys were removed.`;
    const until = `Until ${toIso(expiresAt)}, ${username} logs in with it once, and chooses a password.`;
    return {
      text: `${secret}\n${until}${passkeys > 0 ? removed : ""}`,
      json: { secret, expires: toSeconds(expiresAt), passkeys },
    };
  },
});

export const memberResetPasscode = wayBack({
  what: "resetPasscode",
  does: "Takes a payment passcode and its lock away; the member sets another one",
  async change(tx, _operator, { member: { id, username } }) {
    if (!(await resetPasscode(tx, id))) throw new Refused(`${username} has no passcode`);
    return { text: `${username} has no passcode now, and sets the next one in the app.` };
  },
});

export const memberRemovePasskeys = wayBack({
  what: "removedPasskeys",
  does: "Takes all passkeys away, as one of them may be a thief's; the member adds others in the app",
  async change(tx, _operator, { member: { id, username } }) {
    const { length: passkeys } = await dropPasskeys(tx, id);
    if (passkeys === 0) throw new Refused(`${username} has no passkeys`);
    return { text: `${username} has no passkeys now; there were ${passkeys}.`, json: { passkeys } };
  },
});

export const memberUnbindBank = wayBack({
  what: "unboundBank",
  does: "Takes a bank account away; the member links another one. The public log says so",
  more: "Decide the member's open withdrawals first: they were asked for with this account in mind.",
  async change(tx, operator, { member: { id, username } }) {
    const open = await openWithdrawals(tx, id);
    if (open.length > 0) throw new Refused(`decide first: ${open.join(", ")} (withdraw:reject or withdraw:pay)`);
    await unbindBank(tx, operator, id);
    return { text: `${username} has no bank account now, and links the next one in the app.` };
  },
});

export const memberRename = wayBack({
  usage: "NAME --name T --reason T",
  what: "renamed",
  does: "Corrects a real name; NAME, the username, stays as it is",
  more: [
    "Members set their real name once. Correct a slip of the pen, by their papers. User names never change: partners,",
    "the prize wheel and the public log know members by them.",
  ].join("\n"),
  async change(tx, _operator, { member: { id, username }, options }) {
    const name = RealName.safeParse(options.name);
    if (!name.success) throw new Misused("--name must have 1 to 64 visible characters");
    const holder = await readHolder(tx, id);
    if (holder !== null && !isSameName(holder, name.data))
      throw new Refused(`their bank account is ${holder}'s: use member:unbind-bank first`);
    await renameMember(tx, id, name.data);
    return { text: `The real name of ${username} is ${name.data} now.`, json: { name: name.data } };
  },
});

export const memberEndSessions = wayBack({
  what: "endedSessions",
  does: "Ends every session and recovery code when an account may be stolen; member:kick only logs out",
  async change(tx, operator, { member: { id, username }, reason }) {
    await dropRecoveryCodes(tx, id);
    const sessions = await kickMember(tx, operator, id, reason);
    return { text: `${sessions} sessions of ${username} ended.`, json: { sessions } };
  },
});
