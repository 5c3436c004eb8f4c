import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hash } from "#shared/merkle.ts";
import { canonical } from "./canonical.ts";
import {
  beaconRule,
  cause,
  code,
  form,
  formed,
  formedText,
  hash,
  id,
  listOf,
  oneOf,
  parseFormed,
  recordOf,
  round,
} from "./fields.ts";
import { subjectOf, time, whole, words, type Check, type Formed } from "./fields.ts";
import { HASH_BYTES, isHex } from "./strict.ts";

/**
 * What concerns one member. A tree holds only H(salt ‖ canonical text), with a salt of its own, so a neighbour in a
 * proof cannot be guessed. Whoever has the salt can show what stands there, and nothing else can be shown instead.
 *
 * Every kind of CHAINED is numbered for its member, and names the hash of the one before. All debits are among them:
 * purchases, chargebacks, reversals and debts. A spin tells what it cost and won, and a withdrawal what it moved. Bets and payouts are no leaves of
 * the log but of a round's tree. A bet names its order, and both their member by a mark with a salt of its own. Its key may be
 * deleted with the member, while the salt of the bet stays: so the bet can still be checked, and no longer be assigned.
 */

/** The hash of the leaf before, or of none: 64 zeros under number 1. */
const chained = { member: id, number: whole, before: hash, at: time };
const limitOf: Check<number | "none"> = (value): value is number | "none" => value === "none" || whole(value);
/** A member by their mark. */
const mark = hash;
const MOST_OPTIONS = 63;
const MOST_VIDEOS = 1_000_000;

const CHAINED = {
  pair: form({ ...chained, pair: whole, next_commit: hash }, "member", "pair"),
  spin: form(
    {
      ...chained,
      pair: whole,
      nonce: whole,
      words,
      words_by: oneOf("member", "house"),
      table_hash: hash,
      prize: id,
      prize_kind: code,
      amount: whole,
      price: whole,
      unit: code,
    },
    "member",
    "pair",
    "nonce",
  ),
  bank: form({ ...chained, bank: code, account: words, holder: words }, "member", "number"),
  /** The account that the named leaf states is bound no longer; 64 zeros where no leaf states it. */
  unbind: form({ ...chained, bank: hash }, "member", "number"),
  credit: form({ ...chained, code, cause, amount: whole, unit: code }, "code", "cause"),
  debit: form({ ...chained, code, cause, amount: whole, unit: code, days: whole }, "code", "cause"),
  limit: form({ ...chained, limit: code, value: limitOf, from: time }, "member", "number"),
  withdrawal: form(
    { ...chained, id, state: oneOf("review", "approved", "refused", "paid"), amount: whole, unit: code, bank: hash },
    "id",
    "state",
  ),
  /** A member's comment on a listing: as it was written, and each time that the house shows, hides or removes it. */
  comment: form(
    {
      ...chained,
      id,
      listing: id,
      state: oneOf("waiting", "shown", "hidden", "removed"),
      text: words,
      hearts: whole,
    },
    "id",
    "number",
  ),
  /** The last leaf of a chain, with the wallet's version: after it nothing happens to the member any more. */
  erasure: form({ ...chained, version: whole }, "member"),
};

const CONTENTS = {
  ...CHAINED,
  /** Opened videos of an hour, after those of the hour whose leaf `previous` names. The first counts all before. */
  plays: form(
    { hour: whole, previous: hash, counts: listOf(recordOf({ video: id, plays: whole }), MOST_VIDEOS), at: time },
    "hour",
  ),
  bet: form(
    {
      order: id,
      member: mark,
      game: code,
      round,
      commit: hash,
      odds: id,
      odds_hash: hash,
      rule: beaconRule,
      options: listOf(code, MOST_OPTIONS),
      stake: whole,
      unit: code,
      time,
    },
    "order",
  ),
  payout: form({ member: mark, game: code, round, bets: whole, amount: whole, unit: code }, "member", "game", "round"),
};

/** The kinds that the log shows as a hash. */
export const SALTED_KINDS = [...(Object.keys(CHAINED) as (keyof typeof CHAINED)[]), "plays"] as const;
export type SaltedKind = (typeof SALTED_KINDS)[number];

/** The kinds of a member's chain. */
export const CHAINED_KINDS = Object.keys(CHAINED) as ChainedKind[];
export type ChainedKind = keyof typeof CHAINED;
export type ContentKind = keyof typeof CONTENTS;
export type Content<K extends ContentKind = ContentKind> = Formed<typeof CONTENTS, K>;

/** What the first leaf of a member's chain names as the one before. */
export const NO_LEAF_BEFORE = "0".repeat(2 * HASH_BYTES);

/** The first leaf of a chain follows none, and every other one follows one. An order names each option once. */
function holds(content: Content): boolean {
  if (content.kind === "bet")
    return content.options.length > 0 && new Set(content.options).size === content.options.length;
  if (!("number" in content)) return true;
  return content.number > 0 && (content.number === 1) === (content.before === NO_LEAF_BEFORE);
}

export function contentText(content: Content): string {
  const text = formedText(CONTENTS, content);
  if (!holds(content)) throw new RangeError(`content that contradicts itself: ${text}`);
  return text;
}

export function parseContent(text: string): Content | null {
  const content = parseFormed(CONTENTS, text);
  return content && holds(content) ? content : null;
}

export function isContent(value: unknown): value is Content {
  const content = formed(CONTENTS, value);
  return content !== null && holds(content);
}

/** Kind and subject. They are unique in the house's tables; the log does not show them. */
export const contentKey = (content: Content): string => subjectOf(CONTENTS, content);

/** H(salt ‖ text). A salt has 32 bytes, so where it ends is certain. */
export function saltedHash(salt: Uint8Array, text: string, hash: Hash = sha256): Uint8Array {
  if (salt.length !== HASH_BYTES) throw new RangeError(`a salt of ${salt.length} bytes`);
  return hash(concatBytes(salt, utf8ToBytes(text)));
}

/** The hash of a content in hex, as leaves name it. */
export const hashOfContent = (salt: Uint8Array, content: Content, hash: Hash = sha256): string =>
  bytesToHex(saltedHash(salt, contentText(content), hash));

/** How bets and payouts name their member. Without the salt, nobody can tell whose they are. */
export const markOf = (salt: Uint8Array, member: string, hash: Hash = sha256): string =>
  bytesToHex(saltedHash(salt, canonical({ kind: "member", member }), hash));

/** A content that is numbered for its member. Null for any other, and for none. */
export function parseChained(text: string): Content<ChainedKind> | null {
  const content = parseContent(text);
  const isChained = (one: Content | null): one is Content<ChainedKind> =>
    one !== null && Object.hasOwn(CHAINED, one.kind);
  return isChained(content) ? content : null;
}

/** Whether a member's leaf comes right after the other one, whose hash is given. */
export const follows = (content: Content<ChainedKind>, before: { number: number; hash: string }): boolean =>
  isHex(before.hash) && content.number === before.number + 1 && content.before === before.hash;
