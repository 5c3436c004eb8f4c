import { leafKey, type Leaf } from "#shared/log/leaf.ts";
import { shortKey } from "./add-leaf.ts";

/** A round as leaves name it. */
export interface RoundSubject {
  game: string;
  round: string;
}

/** The kinds of leaves about one round. */
export const ROUND_KINDS = ["open", "close", "draw", "settle", "refund"] as const;
export type RoundKind = (typeof ROUND_KINDS)[number];

/** The key of a round's leaf of this kind. It depends on kind and subject alone. */
export const keyOfRound = (kind: RoundKind, { game, round }: RoundSubject): string =>
  shortKey(leafKey({ kind, game, round } as Leaf<RoundKind>));
