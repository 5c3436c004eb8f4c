import { at, bool, index, int, json, money, ref, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";

/** A person. Money is in `wallets`. */
export const members = table(
  "members",
  {
    id: rowId(),
    username: text().notNull(),
    /** argon2id, peppered; none for members who only come by single sign-on. */
    passwordHash: text(),
    avatar: text().notNull(),
    realName: text(),
    sex: text({ enum: ["0", "1", "2"] })
      .notNull()
      .default("0"),
    payPinHash: text(),
    locked: bool().notNull().default(false),
    /** Membership runs until then; 0 if it never did. */
    memberUntil: at().notNull().default(0),
    /** No withdrawal is approved or paid before: an account that was changed cools down first. */
    coolingUntil: at().notNull().default(0),
    /** The newest of their messages that the member has seen; 0 before the first. */
    messagesReadTo: ref().notNull().default(0),
    /** Whether the videos that they watch are noted, and where they stopped in each. */
    keepsHistory: bool().notNull().default(true),
    /** Made for the demo; whatever they say or win is marked so. */
    demo: bool().notNull().default(false),
    createdAt: at().notNull(),
  },
  // The second one finds the memberships that end next.
  (t) => [uniqueIndex("members_username").on(t.username), index("members_until").on(t.memberUntil)],
);

/** What membership costs. A plan that is no longer sold stays, for those who bought it. */
export const plans = table("plans", {
  id: text().primaryKey(),
  name: json<LocalText>().notNull(),
  days: int().notNull(),
  price: money().notNull(),
  position: int().notNull(),
  sold: bool().notNull().default(true),
});

/** What happened to an account, to be read by its member in their language. */
export const messages = table(
  "messages",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** The text is `message.<kind>` in the locales, filled in with `facts`. */
    kind: text().notNull(),
    facts: json<Record<string, string>>().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [index("messages_member").on(t.memberId, t.id)],
);
