import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { merkleLeaf, type Hash } from "#shared/merkle.ts";
import { canonical, canonicalHash } from "./canonical.ts";
import { parseCheckpoint } from "./checkpoint.ts";
import { isSigned } from "./ed25519.ts";
import { beaconMode, beaconRule, code, day, form, formedText, hash, hex, id, listOf } from "./fields.ts";
import { oneOf, parseFormed, recordOf, round, subjectOf, texts, time, whole, words, type Formed } from "./fields.ts";
import { NOTE_KEY, parseKey } from "./note.ts";
import { parseBase64, parseUtf8 } from "./strict.ts";
import { SALTED_KINDS } from "./salted.ts";

/**
 * The leaves of the log: what the house states to everybody. Each is one canonical text. A kind, once it was logged,
 * never changes its fields; other fields are another kind. A reader that meets an unknown kind calls nothing proven.
 *
 * Some fields close ways to cheat (docs/cheats.md):
 * - `odds` and `open` name the kind of game, its period and the unit; both timetable and rounding are bound.
 * - `refund` is the public leaf of stakes that went back; `skipped` tells the seed of what a gap would have drawn.
 * - `restore` counts origins, and names the root of what it kept, so that a proof of consistency can be demanded.
 * - `key` names the last batch of the old key, so that a later receipt under it convicts the house.
 * - `app` names what is served: all files with the texts of every language, and the page that checks offline.
 *
 * What concerns one member is salted: the log shows its kind and a hash (salted.ts).
 */

const MOST = { rates: 512, prizes: 256, dice: 64 };
const base64 = (value: unknown): value is string => typeof value === "string" && parseBase64(value) !== null;
const key = (value: unknown): value is string => typeof value === "string" && parseKey(value)?.type === NOTE_KEY;
const head = (value: unknown): value is string => typeof value === "string" && parseCheckpoint(value) !== null;
const prize = recordOf({ id, kind: code, amount: whole, weight: whole });
const salted = form({ hash });
/** Times are milliseconds since the epoch, amounts 1/100 unit, periods seconds, rates 1/1000. */
const game = code;

const LEAVES = {
  anchor: form({ game, day, anchor: hash }, "game", "day"),
  odds: form(
    {
      game,
      id,
      hash,
      rules: code,
      period: whole,
      close: whole,
      unit: code,
      rates: listOf(whole, MOST.rates),
      from: time,
    },
    "game",
    "id",
  ),
  table: form({ id, hash, unit: code, prizes: listOf(prize, MOST.prizes), from: time }, "id"),
  beacon: form({ game, mode: beaconMode, from: round, at: time }, "game", "at"),
  open: form(
    {
      game,
      round,
      rules: code,
      period: whole,
      unit: code,
      commit: hash,
      odds: id,
      odds_hash: hash,
      beacon_rule: beaconRule,
      opens: time,
      closes: time,
      draws: time,
    },
    "game",
    "round",
  ),
  close: form({ game, round, bets: whole, stake: whole, bets_root: hash, closed: time }, "game", "round"),
  draw: form(
    {
      game,
      round,
      seed: hash,
      beacon: hex,
      beacon_signature: hex,
      dice: listOf(whole, MOST.dice),
      due: time,
      drawn: time,
    },
    "game",
    "round",
  ),
  settle: form({ game, round, payouts: whole, payout: whole, payouts_root: hash, settled: time }, "game", "round"),
  refund: form({ game, round, bets: whole, stake: whole, bets_root: hash, reason: texts, at: time }, "game", "round"),
  gap: form(
    { game, from: round, to: round, reason: oneOf("paused", "down", "clock", "late"), at: time },
    "game",
    "from",
    "to",
    "at",
  ),
  skipped: form({ game, from: round, to: round, seed: hash, at: time }, "game", "from"),
  pause: form({ game, from: round, reason: texts, at: time }, "game", "at"),
  resume: form({ game, from: round, at: time }, "game", "at"),
  seal: form({ number: whole, root: hash, seal: hash, at: time }, "number"),
  time: form({ time }, "time"),
  restore: form({ number: whole, reason: texts, old: head, kept: whole, kept_root: hash, at: time }, "number"),
  key: form(
    { old: key, next: key, batch: whole, reason: texts, at: time, old_signature: base64, next_signature: base64 },
    "next",
  ),
  app: form({ version: words, files: hash, page: hash, from: time }, "from"),
  ...(Object.fromEntries(SALTED_KINDS.map((kind) => [kind, salted])) as Record<
    (typeof SALTED_KINDS)[number],
    typeof salted
  >),
} as const;

export type LeafKind = keyof typeof LEAVES;
export type Leaf<K extends LeafKind = LeafKind> = Formed<typeof LEAVES, K>;
/** A leaf that everybody can read. */
export type OpenKind = Exclude<LeafKind, (typeof SALTED_KINDS)[number]>;

/** The hash of odds or of a table of prizes: over the leaf without it. */
export const ownHash = (leaf: Omit<Leaf<"odds">, "hash"> | Omit<Leaf<"table">, "hash">, hash: Hash = sha256): string =>
  canonicalHash({ ...leaf }, hash);

/** What both keys sign at a change of the log's key. */
export const keyChangeText = ({ old, next, batch, reason, at }: KeyChange): string =>
  canonical({ kind: "key", old, next, batch, reason, at });

export type KeyChange = Pick<Leaf<"key">, "old" | "next" | "batch" | "reason" | "at">;

/** Whether both keys agree to the change. Both are of one log: its origin is their name. */
export function isKeyChange(leaf: Leaf<"key">): boolean {
  if (leaf.old === leaf.next || parseKey(leaf.old)!.name !== parseKey(leaf.next)!.name) return false;
  const message = utf8ToBytes(keyChangeText(leaf));
  const isBy = (keyText: string, signature: string) =>
    isSigned(message, parseBase64(signature)!, parseKey(keyText)!.publicKey);
  return isBy(leaf.old, leaf.old_signature) && isBy(leaf.next, leaf.next_signature);
}

const isInOneDay = ({ from, to }: { from: string; to: string }) => from.slice(0, 8) === to.slice(0, 8) && from <= to;
const hasOwnHash = ({ hash, ...leaf }: Leaf<"odds"> | Leaf<"table">) => hash === ownHash(leaf);

/** What has to hold between the fields of a leaf. */
function holds(leaf: Leaf): boolean {
  switch (leaf.kind) {
    case "odds":
    case "table":
      return hasOwnHash(leaf);
    case "open":
      return leaf.opens < leaf.closes && leaf.closes < leaf.draws;
    case "gap":
      return leaf.from <= leaf.to;
    case "skipped":
      return isInOneDay(leaf);
    case "restore":
      return leaf.kept <= parseCheckpoint(leaf.old)!.size;
    case "key":
      return isKeyChange(leaf);
    default:
      return true;
  }
}

/** The text that is logged. Throws for what is no leaf, so nothing is logged that no reader takes. */
export function leafText(leaf: Leaf): string {
  const text = formedText(LEAVES, leaf);
  if (!holds(leaf)) throw new RangeError(`a leaf that contradicts itself: ${text}`);
  return text;
}

/** Null for an unknown kind, for other fields, for another spelling, and for a leaf that contradicts itself. */
export function parseLeaf(text: string): Leaf | null {
  const leaf = parseFormed(LEAVES, text);
  return leaf && holds(leaf) ? leaf : null;
}

/** The leaf that an entry of the log holds; null for all else. */
export function parseEntry(entry: Uint8Array): Leaf | null {
  const text = parseUtf8(entry);
  return text === null ? null : parseLeaf(text);
}

/** The hash that the tree holds. */
export const hashOfLeaf = (leaf: Leaf, hash: Hash = sha256): Uint8Array => merkleLeaf(leafText(leaf), hash);

/** Kind and subject of a leaf that everybody can read. A second leaf with the same key is not logged. */
export const leafKey = (leaf: Leaf<OpenKind>): string => subjectOf(LEAVES, leaf);
