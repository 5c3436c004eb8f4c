import { at, index, int, primaryKey, ref, rowId, sql, table, text, uniqueIndex } from "#db/columns.ts";
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
    /** When the member last proved who they are, by logging in or since. */
    provenAt: at().notNull().default(0),
    ip: text().notNull(),
    agent: text().notNull(),
    endedAt: at(),
    endedBy: text({ enum: ["member", "operator", "newer"] }),
    /** The operator's reason, for the member to read. */
    endReason: text(),
  },
  (t) => [
    uniqueIndex("sessions_token").on(t.tokenHash),
    index("sessions_member").on(t.memberId),
    index("sessions_seen").on(t.lastSeenAt),
  ],
);

/**
 * An invite for `usesLeft` registrations; null for any number. Its code is found whatever the case of its letters. A
 * member's own has the member and its place among theirs; an operator's has neither.
 */
export const invites = table(
  "invites",
  {
    code: text().primaryKey(),
    usesLeft: int(),
    createdAt: at().notNull(),
    memberId: ref().references(() => members.id),
    place: int(),
  },
  (t) => [
    index("invites_folded").on(sql`lower(${t.code})`),
    uniqueIndex("invites_member_place").on(t.memberId, t.place),
  ],
);

/** The operator replaced a password: a secret that lets its member choose the next one, once. */
export const passwordResets = table("password_resets", {
  memberId: ref()
    .primaryKey()
    .references(() => members.id),
  /** SHA-256: the secret has 100 random bits. */
  secretHash: text().notNull(),
  expiresAt: at().notNull(),
});

/** A member's recovery codes, each for one use. Only the hashes are stored: HMAC-SHA256 by a key from the master key. */
export const recoveryCodes = table(
  "recovery_codes",
  {
    memberId: ref()
      .notNull()
      .references(() => members.id),
    codeHash: text().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [primaryKey({ columns: [t.memberId, t.codeHash] })],
);

/**
 * Consecutive failures: logins by name, address and device, whether or not the member exists, passwords by session,
 * sign-ups by address, and passcodes by member. For exports and pictures: how many the member began in the time before
 * `blockedUntil`. `regular` is a member who logged in from an address.
 */
export const attempts = table(
  "attempts",
  {
    kind: text({
      enum: [
        "pair",
        "device",
        "session",
        "name",
        "address",
        "regular",
        "signup",
        "invite",
        "taken",
        "pin",
        "export",
        "picture",
      ],
    }).notNull(),
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
