import type { Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { HeadReading } from "#shared/log/read-head.ts";
import { readEntries, readSigned, type LogFiles } from "#shared/log/read-tiles.ts";
import { isWhole, parseUtf8 } from "#shared/log/strict.ts";
import { isOpening } from "#shared/log/terms.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { inclusionOf, isIncluded, proofOf } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { siteFiles } from "./log-files.ts";
import { readSubtrees, serverHash } from "./read-subtrees.ts";

/** Where a site says that its log states what a round opened with, and its day's anchor. It may say nothing of them. */
export interface Logged {
  open?: unknown;
  anchor?: unknown;
}

/** What the log proves of a round. Null is what it does not prove. */
export interface LoggedTerms {
  /** The newest head that its key signed. */
  head: Checkpoint | null;
  opening: Leaf<"open"> | null;
  anchor: string | null;
}

/** Reads what fixes a round from the log of a site, each leaf with its proof under the newest head. */
export async function readTerms(site: string, game: string, round: string, logged: Logged = {}): Promise<LoggedTerms> {
  const files = siteFiles(site);
  const { head: note, key } = await readSigned(files);
  const { head, isSigned } = new HeadReading(note, key, {});
  if (!head || !isSigned) return { head: null, opening: null, anchor: null };
  const [open, day] = [await leafAt(files, head, logged.open), await leafAt(files, head, logged.anchor)];
  const isDay = day?.kind === "anchor" && day.game === game && day.day === round.slice(0, 8);
  return {
    head,
    opening: open && isOpening(open, { game, round }) ? open : null,
    anchor: isDay ? day.anchor : null,
  };
}

/** A leaf that stands in the head; null for what its files do not prove. */
async function leafAt(files: LogFiles, head: Checkpoint, number: unknown): Promise<Leaf | null> {
  if (!isWhole(number) || number >= head.size) return null;
  const index = Math.floor(number / WIDTH);
  const entries = await readEntries(files, { index, width: Math.min(WIDTH, head.size - index * WIDTH) });
  const text = parseUtf8(entries?.[number - index * WIDTH] ?? new Uint8Array());
  if (!text) return null;
  const parts = inclusionOf(number, head.size);
  const path = proofOf(parts, await readSubtrees(files, parts, head.size), serverHash);
  return isIncluded(merkleLeaf(text, serverHash), number, head, path) ? parseLeaf(text) : null;
}
