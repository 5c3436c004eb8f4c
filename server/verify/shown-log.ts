import { bytesToHex } from "@noble/hashes/utils.js";
import { leafText } from "#shared/log/leaf.ts";
import { keyText, noteText } from "#shared/log/note.ts";
import type { EvidenceLog, ReplacedKey } from "#shared/log/evidence/file.ts";
import type { LogVerdict } from "#shared/log/read-head.ts";
import type { LogFiles } from "#shared/log/read-tiles.ts";
import { inclusionOf, proofOf } from "#shared/log/tree.ts";
import { readSubtrees, serverHash } from "./read-subtrees.ts";

/**
 * A log that was read whole, as a file of evidence names it: its head, its key, and the leaves by which that key came, each
 * with its place in the head. Null where it could not be read whole.
 */
export async function shownLog(files: LogFiles, verdict: LogVerdict, since: number): Promise<EvidenceLog | null> {
  const { head, note, key, whole } = verdict;
  if (!head || !note || !key || !whole) return null;
  const newest = noteText(note);
  const parts = whole.changes.map(({ place }) => inclusionOf(place, head.size));
  const read = await readSubtrees(files, parts.flat(), head.size);
  const retired = whole.changes.map(({ leaf, place: number }, i): ReplacedKey => {
    const path = proofOf(parts[i]!, read, serverHash).map(bytesToHex);
    return { key: leaf.old, leaf: number, batch: leaf.batch, change: { text: leafText(leaf), head: newest, path } };
  });
  return {
    origin: head.origin,
    key: keyText(key),
    ...(retired.length > 0 && { retired }),
    first: newest,
    newest,
    since,
  };
}
