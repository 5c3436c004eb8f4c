import { at, bytes, index, int, json, primaryKey, ref, rowId, sql, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";
import { rounds } from "./lottery.ts";
import { members } from "./member.ts";

/**
 * The keys that sign the public log, each sealed under the master key. A log is the leaves of one origin; the first key
 * gives it its name. `log` counts the origins of this house, from 1. The newest row is in force for batches; a head is
 * signed by the key that its own leaves name last.
 */
export const logKeys = table("log_keys", {
  id: rowId(),
  log: int().notNull(),
  origin: text().notNull(),
  /** Ed25519, hex. */
  publicKey: text().notNull(),
  /** Empty once the key was replaced and every batch under it has its signature. */
  sealedKey: text().notNull(),
  /** Batches of bets from this one on are signed by it, up to the next key's. */
  firstBatch: ref().notNull().default(0),
  createdAt: at().notNull(),
});

/** The operator wants key n replaced. Servers do it, because they have the master key. */
export const logRotations = table("log_rotations", {
  id: rowId(),
  reason: json<LocalText>().notNull(),
  createdAt: at().notNull(),
});

/**
 * Signatures of batches under keys that were replaced, so that their receipts outlive the key. Empty for a batch from
 * before the log, which has none.
 */
export const batchSignatures = table("batch_signatures", { batch: ref().primaryKey(), signature: text().notNull() });

/**
 * The operator said that the database was restored. Row n ends log n and begins the next one, which servers do, because
 * they have the master key.
 */
export const logRestores = table("log_restores", {
  id: rowId(),
  reason: json<LocalText>().notNull(),
  createdAt: at().notNull(),
});

/**
 * The leaves of the log, written with what they state. A leaf gets its number later, once. The text of a leaf lies in its
 * bundle as soon as that is full.
 */
export const logLeaves = table(
  "log_leaves",
  {
    id: rowId(),
    log: int().notNull(),
    /** A short hash of kind and subject: nothing is stated twice. */
    key: text().notNull(),
    text: text(),
    number: ref(),
  },
  (t) => [
    // The key comes first: leaves are looked up in all logs, and a log alone would lead to all of its leaves.
    uniqueIndex("log_leaves_key").on(t.key, t.log),
    uniqueIndex("log_leaves_number")
      .on(t.log, t.number)
      .where(sql`${t.text} is not null`),
    index("log_leaves_waiting")
      .on(t.id)
      .where(sql`${t.number} is null`),
  ],
);

/** 256 leaves, compressed by deflate. */
export const logBundles = table(
  "log_bundles",
  { log: int().notNull(), index: int().notNull(), data: bytes().notNull() },
  (t) => [primaryKey({ columns: [t.log, t.index] })],
);

/** The hashes of the tree, in tiles of up to 256, side by side. The last tile of each level still grows. */
export const logTiles = table(
  "log_tiles",
  { log: int().notNull(), level: int().notNull(), index: int().notNull(), hashes: bytes().notNull() },
  (t) => [primaryKey({ columns: [t.log, t.level, t.index] })],
);

/** The heads of the log: what it came to at one time. A head is signed and announced in one step, once. */
export const logHeads = table(
  "log_heads",
  {
    log: int().notNull(),
    size: ref().notNull(),
    root: text().notNull(),
    /** Its time leaf. */
    at: at().notNull(),
    /** The note with the log's signature. */
    note: text(),
    announcedAt: at(),
  },
  (t) => [
    primaryKey({ columns: [t.log, t.size] }),
    index("log_heads_unsigned")
      .on(t.size)
      .where(sql`${t.note} is null`),
  ],
);

/** What witnesses signed: one row for each head and witness. */
export const logCosignatures = table(
  "log_cosignatures",
  {
    log: int().notNull(),
    size: ref().notNull(),
    /** The witness' key, as a vkey. */
    witness: text().notNull(),
    /** Its line under the note, with its newline. */
    line: text().notNull(),
    /** When it signed, by its own clock. */
    signedAt: at().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.log, t.size, t.witness] }),
    index("log_cosignatures_witness").on(t.log, t.witness, t.size),
  ],
);

/** Rounds that the log says were opened, until it says what became of them. */
export const logRounds = table("log_rounds", {
  roundId: ref()
    .primaryKey()
    .references(() => rounds.id),
  /** What the log says of its closing: the root over its bets. */
  betsRoot: text(),
  /** The number of bets and the sum of their stakes. */
  bets: int(),
  staked: ref(),
  /** The bets up to this number are in `bet_groups`; null before the first look. */
  grownTo: ref(),
});

/**
 * The tree over a round's bets, which grows while they are committed: 256 bets a row, in the order of their numbers. So a
 * closing has few bets left to hash, and a proof reads one row and the roots.
 */
export const betGroups = table(
  "bet_groups",
  {
    roundId: ref()
      .notNull()
      .references(() => rounds.id),
    /** The number of the group's first bet. */
    first: ref().notNull(),
    /** From each bet's number to the next one's. */
    steps: json<number[]>().notNull(),
    staked: ref().notNull(),
    /** The root over the group; null while it may grow. */
    root: text(),
    /** The leaves while it may grow, hex. */
    leaves: text(),
  },
  (t) => [primaryKey({ columns: [t.roundId, t.first] })],
);

/** What hides a member's bets from others in the trees: 32 random bytes, hex. */
export const memberSalts = table("member_salts", { memberId: ref().primaryKey(), salt: text().notNull() });

/**
 * What the log says of members, and shows as a hash alone: each member's leaves in a chain, numbered from 1. An account's
 * number is encrypted in `content`. The hash stays when a member's salt is deleted.
 */
export const memberLeaves = table(
  "member_leaves",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    number: int().notNull(),
    /** Kind and subject: nothing is stated twice. */
    key: text().notNull(),
    /** Empty where it named an erased member. */
    content: text().notNull(),
    hash: text().notNull(),
    /** What hid it, written down as its member was erased. */
    salt: text(),
  },
  (t) => [
    uniqueIndex("member_leaves_number").on(t.memberId, t.number),
    uniqueIndex("member_leaves_key").on(t.key),
    uniqueIndex("member_leaves_hash").on(t.hash),
  ],
);

/** The newest leaf of each member. Its row is locked while the next one is written. */
export const memberChains = table("member_chains", {
  memberId: ref()
    .primaryKey()
    .references(() => members.id),
  number: int().notNull(),
  hash: text().notNull(),
});

/** What this house serves as its app, each time that it changed. The newest row is served. */
export const servedApps = table("served_apps", {
  id: rowId(),
  version: text().notNull(),
  /** The hash over all files of the app, and that of the page that checks without a network. */
  files: text().notNull(),
  page: text().notNull(),
  createdAt: at().notNull(),
});

/** Members who were erased. Their number stays in the ledger; `mark` is how bets and payouts name them in the trees. */
export const erasedMembers = table("erased_members", {
  memberId: ref()
    .primaryKey()
    .references(() => members.id),
  mark: text().notNull(),
  reason: text().notNull(),
  erasedAt: at().notNull(),
});

/** What hides the bets and payouts of an erased member, each by its name: it outlives the key that it came from. */
export const keptSalts = table(
  "kept_salts",
  {
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** `bet 12`, or `payout 3` for what round 3 paid. */
    name: text().notNull(),
    salt: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.memberId, t.name] })],
);

/** How often each video was opened in an hour that is over, as the log states it. The first row counts all before. */
export const playHours = table("play_hours", {
  /** Hours since the epoch. */
  hour: int().primaryKey(),
  /** Videos and plays, by the videos' numbers. */
  counts: json<[video: number, plays: number][]>().notNull(),
  /** The hash of the row before, and of this one. */
  previous: text().notNull(),
  hash: text().notNull(),
  salt: text().notNull(),
  createdAt: at().notNull(),
});
