import type { Tx } from "#db/db.ts";
import type { spins, wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import {
  addMemberLeaves,
  addSaltedLeaves,
  isMemberLeafTold,
  memberLeafHashes,
} from "#server/domains/log/member-leaves.ts";

type Row = typeof wheelPairs.$inferSelect;
type Spin = typeof spins.$inferInsert;

const keyOfPair = ({ memberId, number }: Row) => `pair:${memberId}:${number}`;

/**
 * States commits of several members in the log, and has a head made soon. A pair from before the log said pairs, or one that
 * only an older log has, is stated now: its member has not made words for it yet.
 */
export async function statePairs(tx: Tx, deps: Pick<Deps, "clock" | "announce">, pairs: readonly Row[]): Promise<void> {
  if (pairs.length === 0) return;
  const hashes = await memberLeafHashes(
    tx,
    pairs.map((pair) => ({ memberId: pair.memberId, key: keyOfPair(pair) })),
  );
  const known = hashes.flatMap((hash) => (hash === null ? [] : [{ kind: "pair" as const, hash }]));
  if (known.length > 0) await addSaltedLeaves(tx, known);
  const at = deps.clock.now();
  const fresh = pairs
    .filter((_, i) => hashes[i] === null)
    .map(({ memberId, number, commit }) => {
      return { memberId, own: { kind: "pair" as const, pair: number, next_commit: commit, at } };
    });
  if (fresh.length > 0) await addMemberLeaves<"pair">(tx, fresh);
  await deps.announce(tx, "log.waiting", {});
}

/** Whether a head that was announced holds a pair's commit. Before that, words for it prove nothing. */
export const isPairTold = (read: Tx, pair: Row): Promise<boolean> =>
  isMemberLeafTold(read, pair.memberId, keyOfPair(pair));

/** States one spin each of several members: what it was drawn from, what it cost, and what it won. */
export async function stateSpins(tx: Tx, made: readonly { pair: Row; spin: Spin; unit: string }[]): Promise<void> {
  const leaves = made.map(({ pair: { number, words, wordsBy, tableHash }, spin, unit }) => ({
    memberId: spin.memberId,
    own: {
      kind: "spin" as const,
      pair: number,
      nonce: spin.nonce,
      words: words!,
      words_by: wordsBy!,
      table_hash: tableHash!,
      prize: spin.prizeId,
      prize_kind: spin.kind,
      amount: spin.amount,
      price: spin.price,
      unit,
      at: spin.createdAt,
    },
  }));
  await addMemberLeaves<"spin">(tx, leaves);
}
