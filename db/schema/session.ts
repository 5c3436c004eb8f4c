import { at, index, int, primaryKey, ref, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import { members } from "./member.ts";

/** A login session. The token is not stored, only its SHA-256. */
export const sessions = table(
  "sessions",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    tokenHash: text().notNull(),
    /** SHA-256 of the single-sign-on token that every call must carry too; null after an ordinary login. */
    ssoHash: text(),
    createdAt: at().notNull(),
    /** Updated at most once a minute. */
    lastSeenAt: at().notNull(),
    ip: text().notNull(),
    agent: text().notNull(),
    endedAt: at(),
    endedBy: text({ enum: ["member", "operator", "newer"] }),
    /** The operator's reason, for the member to read. */
    endReason: text(),
  },
  (t) => [uniqueIndex("sessions_token").on(t.tokenHash), index("sessions_member").on(t.memberId)],
);

/** An invite for `usesLeft` registrations; null for any number. */
export const invites = table("invites", {
  code: text().primaryKey(),
  usesLeft: int(),
  createdAt: at().notNull(),
});

/**
 * Consecutive failures: logins by name and by address, whether or not the member exists, and passcodes by member. For
 * exports: how many the member began in the hour before `blockedUntil`.
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

/** Used single-sign-on tokens, by SHA-256 of their `jti`, until they expire. */
export const ssoTickets = table("sso_tickets", {
  jtiHash: text().primaryKey(),
  expiresAt: at().notNull(),
});
