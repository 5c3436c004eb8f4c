import { at, bool, index, ref, serial, table, text, uniqueIndex, wide } from "#db/columns.ts";
import { members } from "./member.ts";

/** A member's passkey: what the site keeps of it lets nobody log in. */
export const passkeys = table(
  "passkeys",
  {
    id: serial(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** Base64url, as the authenticator made it. */
    credentialId: text().notNull(),
    /** What the authenticator knows the member by. Null where a server has not written it down yet. */
    handle: text(),
    /** The COSE key, base64url. */
    publicKey: text().notNull(),
    /** Signatures so far, a number of 32 bits without a sign; 0 for the many authenticators that count none. */
    counter: wide().notNull(),
    /** The name of the site that it was made for: it answers under no other. */
    rpId: text().notNull(),
    /** Joined by commas; how browsers reach the authenticator. */
    transports: text().notNull(),
    /** Kept by a provider and on several devices of the member. */
    synced: bool().notNull(),
    name: text().notNull(),
    createdAt: at().notNull(),
    lastUsedAt: at(),
  },
  (t) => [uniqueIndex("passkeys_credential").on(t.credentialId), index("passkeys_member").on(t.memberId)],
);

/** Challenges that a passkey answered, by SHA-256, until they expire: each is answered once. */
export const spentChallenges = table("spent_challenges", {
  hash: text().primaryKey(),
  expiresAt: at().notNull(),
});
