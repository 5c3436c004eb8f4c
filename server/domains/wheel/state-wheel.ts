import type { Tx } from "#db/db.ts";
import type { spins, wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { addMemberLeaf, addSaltedLeaf, isMemberLeafTold, memberLeafHash } from "#server/domains/log/member-leaves.ts";

type Row = typeof wheelPairs.$inferSelect;
type Spin = typeof spins.$inferInsert;

const keyOfPair = ({ memberId, number }: Row) => `pair:${memberId}:${number}`;

/**
 * States a pair's commit in the log, and has a head made soon. A pair from before the log said pairs, or one that only an
 * older log has, is stated now: its member has not made words for it yet.
 */
export async function statePair(tx: Tx, deps: Pick<Deps, "clock" | "announce">, pair: Row): Promise<void> {
  const { memberId, number, commit } = pair;
  const known = await memberLeafHash(tx, memberId, keyOfPair(pair));
  if (known !== null) await addSaltedLeaf(tx, "pair", known);
  else {
    const at = deps.clock.now();
    await addMemberLeaf<"pair">(tx, memberId, { kind: "pair", pair: number, next_commit: commit, at });
  }
  await deps.announce(tx, "log.waiting", {});
}

/** Whether a head that was announced holds a pair's commit. Before that, words for it prove nothing. */
export const isPairTold = (read: Tx, pair: Row): Promise<boolean> =>
  isMemberLeafTold(read, pair.memberId, keyOfPair(pair));

/** States a spin: what it was drawn from, what it cost, and what it won. */
export async function stateSpin(tx: Tx, { number, words, wordsBy, tableHash }: Row, spin: Spin): Promise<void> {
  await addMemberLeaf<"spin">(tx, spin.memberId, {
    kind: "spin",
    pair: number,
    nonce: spin.nonce,
    words: words!,
    words_by: wordsBy!,
    table_hash: tableHash!,
    prize: spin.prizeId,
    prize_kind: spin.kind,
    amount: spin.amount,
    price: spin.price,
    unit: await readUnit(tx),
    at: spin.createdAt,
  });
}
