import { merkleLeaf } from "#shared/merkle.ts";
import { isFirstKey, parseCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { hashesOf } from "./evidence/keys.ts";
import { parseLeaf, type Leaf } from "./leaf.ts";
import { noteVerifier, parseKey, parseNote, signersOf } from "./note.ts";
import { isSame } from "./strict.ts";
import { isIncluded, type Head } from "./tree.ts";

/** The first leaf of a log that continues another one. */
export type Restore = Leaf<"restore">;

/** A log after a restore as a house shows it: the key that it began with, a head, and the proof of its first leaf. */
export interface ShownOrigin {
  key: string;
  head: string;
  leaf: string;
  path: readonly string[];
}

/** Finds the restore that the log of an origin begins with. Null where none is shown, or proven. */
export type RestoreAt = (origin: string) => Restore | null;

/** A log that somebody knows, and heads of it. */
export interface KnownOrigin {
  origin: string;
  heads: readonly Head[];
}

/** The last head of the log that a restore continues. */
export const endIn = ({ old }: Restore): Checkpoint => parseCheckpoint(old)!;

/** The first leaf of a log of that origin, as a head proves it that its first key signed. Null if nothing does. */
function restoreOf(origin: string, { key: line, head: text, leaf, path }: ShownOrigin): Restore | null {
  const [key, note, said, hashes] = [parseKey(line), parseNote(text), parseLeaf(leaf), hashesOf(path)];
  const head = note && parseCheckpoint(note.text);
  if (head?.origin !== origin || key?.name !== origin || !isFirstKey(origin, key.publicKey)) return null;
  if (said?.kind !== "restore" || !hashes || !signersOf(note!, [noteVerifier(key)])) return null;
  return isIncluded(merkleLeaf(leaf), 0, head, hashes) ? said : null;
}

/** The restores that a house shows. */
export const restoresIn =
  (shown: readonly ShownOrigin[]): RestoreAt =>
  (origin) =>
    shown.map((one) => restoreOf(origin, one)).find((one) => one !== null) ?? null;

/** Whether a restore ends a log with another head than one that is known of that size. */
const endsOtherwise = (restore: Restore, heads: readonly Head[]): boolean => {
  const end = endIn(restore);
  return heads.some(({ size, root }) => size === end.size && !isSame(root, end.root));
};

/**
 * The restores that lead from a log that is known to a later one, whose own comes last. Their numbers count the logs of the
 * house, so none is left out, and the first of them names no other end than was seen. Null if they do not lead there.
 * Undefined where that cannot be told: the house shows no restores, and one is missing.
 */
export function followRestores(
  { origin, heads }: KnownOrigin,
  last: Restore,
  restoreAt: RestoreAt | null,
): Restore[] | null | undefined {
  const restores = [last];
  for (let before = endIn(last).origin; before !== origin; before = endIn(restores[0]!).origin) {
    // Before the first restore there is the first log alone.
    if (restores[0]!.number <= 1) return null;
    if (!restoreAt) return undefined;
    const earlier = restoreAt(before);
    if (earlier?.number !== restores[0]!.number - 1) return null;
    restores.unshift(earlier);
  }
  if (endsOtherwise(restores[0]!, heads)) return null;
  const own = restoreAt && (restoreAt(origin)?.number ?? 0);
  return own === null || restores[0]!.number === own + 1 ? restores : null;
}
