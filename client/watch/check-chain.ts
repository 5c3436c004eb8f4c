import { hexToBytes } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairMine } from "#shared/contract/log.ts";
import type { Checkpoint } from "#shared/log/checkpoint.ts";
import { hashOfLeaf } from "#shared/log/leaf.ts";
import {
  follows,
  hashOfContent,
  NO_LEAF_BEFORE,
  parseChained,
  type ChainedKind,
  type Content,
} from "#shared/log/salted.ts";
import { isHex } from "#shared/log/strict.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { hashesOf } from "./check-head.ts";

export type OwnLeaf = ReplyOf<typeof fairMine>["leaves"][number];

/** Where a member's chain ends. */
export interface End {
  number: number;
  hash: string;
}

export const NO_END: End = { number: 0, hash: NO_LEAF_BEFORE };

/** What a leaf says, if it comes right after another one and its hash is that of what it says. Null otherwise. */
export function nextOf(
  { number, hash, content, salt }: OwnLeaf,
  before: End,
  member: string,
): Content<ChainedKind> | null {
  const said = parseChained(content);
  if (!said || !isHex(salt) || said.number !== number || said.member !== member) return null;
  return follows(said, before) && hashOfContent(hexToBytes(salt), said) === hash ? said : null;
}

/** Whether a leaf stands in a head, where its answer says. */
export function isInHead({ hash, place }: OwnLeaf, kind: ChainedKind, head: Checkpoint): boolean {
  const path = place && hashesOf(place.path);
  return path !== null && isIncluded(hashOfLeaf({ kind, hash }), place!.index, head, path);
}
