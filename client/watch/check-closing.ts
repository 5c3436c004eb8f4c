import type { ToldClosing } from "#shared/contract/events.ts";
import type { Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { hashesOf } from "./check-head.ts";

/** A closing of this round; null for anything else. */
export function closeLeafOf(text: string, game: string, round: string): Leaf<"close"> | null {
  const leaf = parseLeaf(text);
  return leaf?.kind === "close" && leaf.game === game && leaf.round === round ? leaf : null;
}

/** A told closing as files of evidence have it: with its path beside its leaf. */
export const shownClosing = ({ close, path, ...told }: ToldClosing) => ({ ...told, close: { ...close, path } });

/** Whether the told closing is one of its round, and stands in the head that came with it. */
export function isClosingTrue({ key, expect, close, path: told }: ToldClosing, head: Checkpoint): boolean {
  const path = hashesOf(told);
  if (!path || !closeLeafOf(close.leaf, key, expect)) return false;
  return isIncluded(merkleLeaf(close.leaf), close.number, head, path);
}
