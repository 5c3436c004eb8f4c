import { bytesToHex } from "@noble/hashes/utils.js";
import { parseKey, type NoteKey } from "#shared/log/note.ts";
import { firstKeyOf, isSignedBy, readHead, type ReadHead } from "./check-head.ts";
import type { KeptLog } from "./kept.ts";
import type { Questions } from "./messages.ts";
import { leafAt, provenLeaf, type ReadFile } from "./read-leaf.ts";

/** What the house answers to the question for its head. */
type Shown = NonNullable<Questions["head"]["reply"]>;

/** The keys of a log, as both the old and the new one signed each change. */
export type KeptKeys = Pick<KeptLog, "key" | "retired">;

/** The key that signs a head of this size: the last one that its leaves name. */
export const keyOfHead = ({ key, retired = [] }: KeptKeys, size: number): NoteKey =>
  parseKey(retired.find(({ leaf }) => size <= leaf)?.key ?? key)!;

/** The key that signs a batch of bets. */
export const keyOfBatch = ({ key, retired = [] }: KeptKeys, batch: number): NoteKey =>
  parseKey(retired.find((one) => batch <= one.batch)?.key ?? key)!;

export const isSignedRightly = (head: ReadHead, keys: KeptKeys): boolean =>
  isSignedBy(head, keyOfHead(keys, head.checkpoint.size));

/** Whether a key signed a head after a leaf had replaced it. */
export const isByReplaced = (head: ReadHead, { retired = [] }: KeptKeys): boolean =>
  retired.some(({ key, leaf }) => leaf < head.checkpoint.size && isSignedBy(head, parseKey(key)!));

/**
 * Follows the leaves that replaced keys, from the newest key that is known to the one that signed this head. Null unless
 * each of them stands in the head, was signed by both keys, and begins with the key before. Throws what the files throw.
 */
export async function followKeys(
  known: KeptKeys,
  head: ReadHead,
  changes: readonly number[],
  read: ReadFile,
): Promise<KeptKeys | null> {
  const keys = { key: known.key, retired: [...(known.retired ?? [])] };
  for (const number of changes) {
    if (number <= (keys.retired.at(-1)?.leaf ?? -1)) continue;
    const proven = await provenLeaf(number, head, read);
    const leaf = proven?.leaf;
    if (leaf?.kind !== "key" || leaf.old !== keys.key || leaf.batch < (keys.retired.at(-1)?.batch ?? 0)) return null;
    const change = { text: proven!.text, head: head.text, path: proven!.path.map(bytesToHex) };
    keys.retired.push({ key: leaf.old, leaf: number, batch: leaf.batch, change });
    keys.key = leaf.next;
  }
  return isSignedRightly(head, keys) ? keys : null;
}

/**
 * The keys of a log from its first one on, whose hash the origin names, as the house shows them. Null if it shows no such
 * key. Throws where the leaves that replaced it do not come.
 */
export async function keysFromFirst(shown: Shown, origin: string, read: ReadFile): Promise<KeptKeys | null> {
  const [first] = shown.changes;
  if (first === undefined) return firstKeyOf(shown.key, origin) && { key: shown.key };
  const head = shown.head === null ? null : readHead(shown.head);
  const leaf = head && (await leafAt(first, head, read));
  if (!head || leaf?.kind !== "key" || !firstKeyOf(leaf.old, origin)) return null;
  const keys = await followKeys({ key: leaf.old }, head, shown.changes, read);
  return keys?.key === shown.key ? keys : null;
}

/** What a note of the log says, by the key of today or one that it replaced. Null if none of them signed it. */
export function signedBy<T>({ key, retired = [] }: KeptKeys, parse: (key: NoteKey) => T | null): T | null {
  for (const one of [key, ...retired.map((past) => past.key)]) {
    const said = parse(parseKey(one)!);
    if (said) return said;
  }
  return null;
}
