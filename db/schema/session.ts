import { at, index, int, primaryKey, ref, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import { members } from "./member.ts";

/** A login. The token itself is kept nowhere, only its SHA-256. */
export const sessions = table(
  "sessions",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    tokenHash: text().notNull(),
    /** SHA-256 of the single-sign-on token that every call has to carry too; null after an ordinary login. */
    ssoHash: text(),
    createdAt: at().notNull(),
    /** Written once a minute at most. */
    lastSeenAt: at().notNull(),
    ip: text().notNull(),
    agent: text().notNull(),
    endedAt: at(),
    endedBy: text({ enum: ["member", "operator", "newer"] }),
    /** What the operator wants the member to read. */
    endReason: text(),
  },
  (t) => [uniqueIndex("sessions_token").on(t.tokenHash), index("sessions_member").on(t.memberId)],
);

/** Lets so many people register; without `usesLeft`, any number. */
export const invites = table("invites", {
  code: text().primaryKey(),
  usesLeft: int(),
  createdAt: at().notNull(),
});

/**
 * Failures in a row: logins by name and by address, whether such a member exists or not; passcodes by member. Of exports,
 * by member, how many were begun in the hour until `blockedUntil`.
 */
export const attempts = table(
  "attempts",
  {
    kind: text({ enum: ["name", "address", "pin", "export"] }).notNull(),
    subject: text().notNull(),
    failures: int().notNull(),
    blockedUntil: at().notNull(),
    lastAt: at().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subject] }), index("attempts_last").on(t.lastAt)],
);

/** Single-sign-on tokens that were used, by SHA-256 of their `jti`, until they expire by themselves. */
export const ssoTickets = table("sso_tickets", {
  jtiHash: text().primaryKey(),
  expiresAt: at().notNull(),
});
