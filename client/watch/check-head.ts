import { hexToBytes } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairHour } from "#shared/contract/log.ts";
import { isFirstKey, parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { noteVerifier, parseKey, parseNote, signersOf, type NoteKey, type SignedNote } from "#shared/log/note.ts";
import { isHex } from "#shared/log/strict.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { HOUR_MS } from "#shared/time.ts";
import { isExtension, isIncluded, isOtherBeginning, type Head } from "#shared/log/tree.ts";

type Hour = NonNullable<ReplyOf<typeof fairHour>>;

/** A head as it came, read. Nobody has checked its signature yet. */
export interface ReadHead {
  text: string;
  note: SignedNote;
  checkpoint: Checkpoint;
}

/** Null for what is no head in the one spelling that heads have. */
export function readHead(text: string): ReadHead | null {
  const note = parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  return note && checkpoint && { text, note, checkpoint };
}

/** The key that a new log begins with. Null unless the origin names its hash. */
export function firstKeyOf(text: string, origin: string): NoteKey | null {
  const key = parseKey(text);
  return key && key.name === origin && isFirstKey(origin, key.publicKey) ? key : null;
}

export const isSignedBy = ({ note }: ReadHead, key: NoteKey): boolean => signersOf(note, [noteVerifier(key)]) !== null;

/** The hashes of a proof. Null if one of them is none. */
export const hashesOf = (path: unknown): Uint8Array[] | null =>
  Array.isArray(path) && path.every(isHex) ? path.map(hexToBytes) : null;

/** Whether a head's last leaf is a time of that hour. */
export function endsIn({ checkpoint }: ReadHead, { hour, leaf, path }: Hour): boolean {
  const said = parseLeaf(leaf);
  const hashes = hashesOf(path);
  if (said?.kind !== "time" || !hashes || hour % HOUR_MS !== 0) return false;
  if (said.time < hour || said.time >= hour + HOUR_MS) return false;
  return isIncluded(merkleLeaf(leaf), checkpoint.size - 1, checkpoint, hashes);
}

/** Whether the larger of two heads begins with all leaves of the other one. The path goes from the smaller one. */
export function isLinked(one: Head, other: Head, path: unknown): boolean {
  const [older, newer] = one.size <= other.size ? [one, other] : [other, one];
  const hashes = hashesOf(path);
  return hashes !== null && isExtension(older, newer, hashes);
}

/** Whether two heads are of one size and differ, or hashes show that the larger one begins with other leaves than the smaller one has. */
export function isFork({ checkpoint: one }: ReadHead, { checkpoint: other }: ReadHead, path: unknown): boolean {
  const [older, newer] = one.size <= other.size ? [one, other] : [other, one];
  if (older.size === newer.size) return !isExtension(older, newer, []);
  const hashes = hashesOf(path);
  return hashes !== null && isOtherBeginning(older, newer, hashes);
}
