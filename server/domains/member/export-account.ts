import { and, asc, eq, gt } from "drizzle-orm";
import { bankAccounts } from "#db/schema/payments.ts";
import { pushSubscriptions } from "#db/schema/push.ts";
import { supportMessages } from "#db/schema/support.ts";
import { sessions } from "#db/schema/session.ts";
import { readLimits, LIMIT_COLUMNS, type LimitColumn } from "#server/domains/ledger/limits.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { memberWireId, readMember } from "#server/domains/account/find-member.ts";
import { readPasskeys } from "#server/domains/account/read-passkeys.ts";
import { readInvites } from "#server/domains/account/own-invites.ts";
import { readRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { LIMIT_FIELDS } from "#shared/contract/wallet.ts";
import { namePacked } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { SECOND_MS, toIso } from "#shared/time.ts";
import type { Row } from "./export-format.ts";
import { byId, small, type Section } from "./export-pages.ts";

/** About the file: when it was made, and the unit of its amounts. */
const about = small("export", async ({ now, settings, version }) => [
  { kind: "made", time: toIso(now) },
  { kind: "format", text: "trio-export-1" },
  { kind: "unit", text: settings.get<string>("unit") },
  { kind: "entries", text: String(version) },
]);

const account = small("account", async ({ read, memberId, now }) => {
  const member = await readMember(read, memberId);
  const { left } = await readRecoveryCodes(read, memberId);
  const { balance, version, excludedUntil } = await readWallet(read, memberId);
  return [
    { id: memberWireId(memberId), kind: "username", text: member.username },
    { kind: "created", time: toIso(member.createdAt) },
    { kind: "name", text: member.realName ?? "" },
    { kind: "sex", text: member.sex },
    { kind: "picture", text: member.avatar },
    { kind: "status", status: member.locked ? "locked" : "open" },
    membership(member.memberUntil, now),
    { kind: "payment passcode", status: member.payPinHash === null ? "unset" : "set" },
    { kind: "video history", status: member.keepsHistory ? "kept" : "off" },
    { kind: "recovery codes", text: String(left) },
    { kind: "balance", amount: toDecimal(balance), version: String(version) },
    ...(excludedUntil > now ? [{ kind: "break", until: toIso(excludedUntil) }] : []),
  ];
});

function membership(until: number, now: number): Row {
  if (until === 0) return { kind: "membership", status: "none" };
  return { kind: "membership", status: until > now ? "running" : "ended", until: toIso(until) };
}

/** The wire's name of a limit; both lists are in the same order. */
const nameOf = (column: LimitColumn): string => LIMIT_FIELDS[LIMIT_COLUMNS.indexOf(column)] ?? "remind_minutes";

const limits = small("limits", async ({ read, memberId, now }) => {
  const { wallet, pending } = await readLimits(read, memberId);
  const value = (column: LimitColumn, amount: number | null): Row => {
    if (amount === null) return { text: "none" };
    return column === "remindMinutes" ? { text: String(amount) } : { amount: toDecimal(amount) };
  };
  const isDue = ({ dueAt }: { dueAt: number }) => dueAt <= now;
  const inForce = (column: LimitColumn) => {
    const due = pending.find((change) => change.column === column && isDue(change));
    return due ? due.value : wallet[column];
  };
  return [
    ...LIMIT_COLUMNS.map((column) => ({ kind: nameOf(column), status: "in force", ...value(column, inForce(column)) })),
    ...pending
      .filter((change) => !isDue(change))
      .map(({ column, value: amount, dueAt }) => ({
        kind: nameOf(column),
        status: "to come",
        time: toIso(dueAt),
        ...value(column, amount),
      })),
  ];
});

/** Only the last four digits, as in the app. */
const bank = small("bank", async ({ read, memberId }) => {
  const rows = await read.select().from(bankAccounts).where(eq(bankAccounts.memberId, memberId));
  return rows.flatMap(({ bankCode, last4, holder, mobile, createdAt }) => [
    { kind: "account", id: bankCode, text: `**** ${last4}`, time: toIso(createdAt) },
    { kind: "holder", text: holder },
    ...(mobile ? [{ kind: "mobile", text: mobile }] : []),
  ]);
});

/** Every login: its address, its device and its last use. */
const logins: Section = {
  name: "sessions",
  pieces: ({ read, memberId }) =>
    byId(
      (after, most) =>
        read
          .select()
          .from(sessions)
          .where(and(eq(sessions.memberId, memberId), gt(sessions.id, after)))
          .orderBy(asc(sessions.id))
          .limit(most),
      ({ id, createdAt, lastSeenAt, ip, agent, endedAt, endedBy }) => ({
        id: `ses_${id}`,
        time: toIso(createdAt),
        kind: ip,
        text: agent,
        status: endedAt === null ? "open" : `ended by ${endedBy}`,
        until: toIso(endedAt ?? lastSeenAt),
      }),
    ),
};

const ownInvites = small("invites", async ({ read, settings, memberId }) => {
  const { list } = await readInvites(read, { settings }, memberId);
  return list.map(({ code, used, create_time }) => ({
    id: code,
    status: used === 1 ? "used" : "open",
    time: toIso(create_time * SECOND_MS),
  }));
});

/** What the site knows of each passkey, but for its key. */
const passkeys = small("passkeys", async ({ read, memberId }) =>
  (await readPasskeys(read, memberId)).map(({ id, name, rpId, createdAt, lastUsedAt }) => ({
    id: `key_${id}`,
    kind: rpId,
    text: name,
    time: toIso(createdAt),
    ...(lastUsedAt !== null && { until: toIso(lastUsedAt) }),
  })),
);

/** The conversation with the customer service: who wrote (`kind`) and what. `proof` leads to a picture. */
const support: Section = {
  name: "support",
  pieces: ({ read, memberId, locale }) =>
    byId(
      (after, most) =>
        read
          .select()
          .from(supportMessages)
          .where(and(eq(supportMessages.memberId, memberId), gt(supportMessages.id, after)))
          .orderBy(asc(supportMessages.id))
          .limit(most),
      ({ id, createdAt, byOperator, text, picture }) => ({
        id: `svc_${id}`,
        time: toIso(createdAt),
        kind: byOperator ? "support" : "member",
        text: byOperator ? namePacked(text, locale) : text,
        ...(picture !== null && { proof: `/api/support/picture?id=svc_${id}` }),
      }),
    ),
};

/** Where the member's devices are told of news while the app is closed, and of what. */
const notifications = small("notifications", async ({ read, memberId }) => {
  const rows = await read
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.memberId, memberId))
    .orderBy(asc(pushSubscriptions.sessionId));
  return rows.map(({ sessionId, endpoint, kinds, createdAt }) => ({
    id: `ses_${sessionId}`,
    kind: new URL(endpoint).hostname,
    text: kinds.join(", "),
    time: toIso(createdAt),
  }));
});

export const ACCOUNT_SECTIONS: readonly Section[] = [
  about,
  account,
  limits,
  bank,
  passkeys,
  ownInvites,
  notifications,
  logins,
  support,
];
