import { createHash, hash } from "node:crypto";
import type { bets, houseEntries, payouts, transfers } from "#db/schema/index.ts";
import type { Hash } from "#shared/merkle.ts";

/**
 * What a seal's Merkle tree is built over, in the order of commits: each house
 * entry followed by the bets or payouts it sums, then the transfers. A leaf is
 * the JSON array of the row's kind and all its columns, in this order.
 */
type Columns<T> = readonly (keyof T & string)[];

const HOUSE: Columns<typeof houseEntries.$inferSelect> = [
  "id",
  "kind",
  "amount",
  "roundId",
  "fromId",
  "toId",
  "createdAt",
];
const BET: Columns<typeof bets.$inferSelect> = [
  "id",
  "memberId",
  "roundId",
  "oddsId",
  "mask",
  "stake",
  "total",
  "version",
  "balanceAfter",
  "createdAt",
];
const PAYOUT: Columns<typeof payouts.$inferSelect> = [
  "roundId",
  "memberId",
  "amount",
  "version",
  "balanceAfter",
  "createdAt",
];
const TRANSFER: Columns<typeof transfers.$inferSelect> = [
  "id",
  "code",
  "cause",
  "debit",
  "credit",
  "amount",
  "memberId",
  "version",
  "balanceAfter",
  "reason",
  "createdAt",
];

export const SEALED = { house: HOUSE, bet: BET, payout: PAYOUT, transfer: TRANSFER };

export type Sealed = keyof typeof SEALED;

/** Wider than a JavaScript number: it is read as text, and stands in its leaf as the number that it is. */
const WIDE = "mask";

/** A leaf from the row's values in SEALED's order. */
export function sealLeaf(kind: Sealed, values: unknown[]): string {
  const wide = SEALED[kind].indexOf(WIDE as never);
  return `[${[kind, ...values].map((value, i) => (i === wide + 1 && i > 0 ? String(value) : JSON.stringify(value))).join(",")}]`;
}

/** The columns of SEALED's order for a query. */
export const sealedColumns = (kind: Sealed): string =>
  SEALED[kind]
    .map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .map((name) => (name === WIDE ? `cast(${name} as text)` : name))
    .join(", ");

export const sha256: Hash = (bytes) => hash("sha256", bytes, "buffer");

/** seal = SHA-256(previous seal + root), both as hex text; the first seal follows the empty text. */
export const sealOf = (previous: string, root: string): string =>
  createHash("sha256").update(previous).update(root).digest("hex");
