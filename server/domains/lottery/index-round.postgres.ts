import { failpoint } from "#db/failpoint.ts";
import type { JobContext } from "#db/postgres/work.ts";
import { OWN_KEY } from "./bet-book.ts";
import type { Count } from "./count-bets.ts";
import { inRanges } from "./in-ranges.postgres.ts";
import { withRetries } from "./retries.postgres.ts";
import type { SettleRange } from "./settle-ranges.ts";

/**
 * Indexes some members ($1) and their bets ($2 ids, $3 members, $4 versions) in round $5, and moves the callers' keys to
 * the spent ones; made-up keys are deleted. $6 is where the members' range begins, $7 and $8 are `indexed_to` before and
 * after. One statement, so that every reader finds a bet by its key or in the index. No row: nothing was written.
 */
export const INDEX = `with
turn as (update settle_ranges set indexed_to = $8 where round_id = $5 and from_id = $6 and indexed_to = $7 returning round_id),
indexed as materialized (select id, member, version from turn, unnest($2::bigint[], $3::bigint[], $4::int[]) as o(id, member, version)),
moved as (
  delete from bet_keys using indexed where member_id = member and bet_id = id returning member_id, key, bet_id, request_hash
),
spent as (
  insert into spent_keys (member_id, key, bet_id, request_hash)
  select member_id, key, bet_id, request_hash from moved where key not like '${OWN_KEY}%' on conflict do nothing
),
bet as (
  insert into journal_index (member_id, version, kind, row_id)
  select member, version, 'bet', id from indexed order by member, version on conflict do nothing
),
payout as (
  insert into journal_index (member_id, version, kind, row_id)
  select member_id, version, 'payout', payouts.round_id from payouts, turn
  where payouts.round_id = $5 and member_id = any($1) on conflict do nothing
)
select 1 from turn`;

/** Ends a round: its ranges go. */
const FINISH = `with done as (update rounds set indexed_at = $1 where id = $2 and indexed_at is null)
  delete from settle_ranges where round_id = $2`;

/** A settled round that is indexed. */
interface Indexing {
  roundId: number;
  count: Count;
  ranges: readonly SettleRange[];
}

/** Writes a settled round into the journal index, as index-round.sqlite.ts does, its ranges side by side. */
export async function* indexRound(
  { pool, clock }: JobContext,
  { roundId, count, ranges }: Indexing,
  members: Float64Array,
  piece: number,
): AsyncGenerator<undefined, void> {
  const step = async (range: SettleRange, some: number[], to: number) => {
    const bets = some.flatMap((memberId) => {
      const { ids, versions } = count.members.get(memberId)!;
      return ids.map((id, i) => ({ id, memberId, version: versions[i]! }));
    });
    const columns = [
      bets.map(({ id }) => id),
      bets.map(({ memberId }) => memberId),
      bets.map(({ version }) => version),
    ];
    failpoint("index.piece", roundId);
    const values = [some, ...columns, roundId, range.fromId, range.indexedTo, to];
    const { rowCount } = await withRetries(() => pool.query({ name: "bets.index", text: INDEX, values }));
    return rowCount === 1 ? undefined : null;
  };
  yield* inRanges(ranges, { pool, roundId, progress: "indexedTo", members, piece, step });
  failpoint("index.finish", roundId);
  await pool.query(FINISH, [clock.now(), roundId]);
}
