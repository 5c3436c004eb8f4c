import { at, json, ref, rowId, serial, table, text, uniqueIndex, wide } from "#db/columns.ts";
import { withdrawals } from "./payments.ts";

/** What an operator may do, by command (server/admin/roles.ts). */
export const ROLES = ["support", "finance", "content", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** The persons who run the site by its console. Rows stay, so that a name is one person's forever. */
export const operators = table(
  "operators",
  {
    id: serial(),
    name: text().notNull(),
    roles: json<Role[]>().notNull(),
    /** `invited`: has no passkey yet. `removed`: never comes back. */
    state: text({ enum: ["invited", "active", "removed"] }).notNull(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("operators_name").on(t.name)],
);

/** An operator's passkey for the console. */
export const operatorPasskeys = table(
  "operator_passkeys",
  {
    id: serial(),
    operatorId: ref()
      .notNull()
      .references(() => operators.id),
    /** Base64url, as the authenticator made it. */
    credentialId: text().notNull(),
    /** The COSE key, base64url. */
    publicKey: text().notNull(),
    /** Signatures so far; 0 for the many authenticators that count none. */
    counter: wide().notNull(),
    createdAt: at().notNull(),
    lastUsedAt: at(),
  },
  (t) => [uniqueIndex("operator_passkeys_credential").on(t.credentialId)],
);

/** An operator's one link to add a passkey: the hash of its token, until it is used or expires. */
export const operatorInvites = table("operator_invites", {
  operatorId: ref()
    .primaryKey()
    .references(() => operators.id),
  hash: text().notNull(),
  expiresAt: at().notNull(),
});

/** Who approved a withdrawal first, where two persons have to. */
export const withdrawalApprovals = table("withdrawal_approvals", {
  withdrawalId: ref()
    .primaryKey()
    .references(() => withdrawals.id),
  /** Null: the shell. */
  operatorId: ref().references(() => operators.id),
  who: text().notNull(),
  at: at().notNull(),
});

/**
 * What operators did, or were refused: one row for each command that writes or tells a secret, in the transaction of its
 * first write. Rows are never changed or deleted.
 */
export const operatorActs = table("operator_acts", {
  id: rowId(),
  at: at().notNull(),
  /** The operator's name, or the system's user of the shell. */
  who: text().notNull(),
  /** The shell's machine, or the address of the operator's browser. */
  host: text().notNull(),
  /** Null: the shell. */
  operatorId: ref().references(() => operators.id),
  command: text().notNull(),
  /** Its other words: on what, and how. No command takes a secret as a word. */
  words: text().notNull(),
  reason: text(),
  /** `done`: what it wrote by then is committed. */
  outcome: text({ enum: ["done", "refused", "failed"] }).notNull(),
  /** Why it was refused, or failed. */
  why: text(),
  /** The member whom it concerns. A seal adds who became one by it. */
  memberId: ref(),
  // The rest is null until a seal covers the row.
  /** What hides the words in their hash. It goes when the member is erased. */
  salt: text(),
  /** The hash of salt, words, reason and why. */
  content: text(),
});
