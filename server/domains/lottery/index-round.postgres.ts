import { failpoint } from "#db/failpoint.ts";
import type { JobContext } from "#db/postgres/work.ts";
import { OWN_KEY } from "./bet-book.ts";
import type { Count } from "./count-bets.ts";
import { withRetries } from "./retries.postgres.ts";

/**
 * Indexes some members ($1) and their bets ($2 ids, $3 members, $4 versions) in round $5, and moves the callers' keys to
 * the spent ones; made-up keys are deleted. One statement, so that every reader finds a bet by its key or in the index.
 */
export const INDEX = `with
indexed as materialized (select * from unnest($2::bigint[], $3::bigint[], $4::int[]) as o(id, member, version)),
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
)
insert into journal_index (member_id, version, kind, row_id)
select member_id, version, 'payout', round_id from payouts where round_id = $5 and member_id = any($1)
on conflict do nothing`;

/** Writes a settled round into the journal index, as index-round.sqlite.ts does. */
export async function* indexRound(
  { pool, clock }: JobContext,
  roundId: number,
  count: Count,
  members: Float64Array,
  piece: number,
): AsyncGenerator<undefined, void> {
  for (let next = 0; next < members.length; next += piece) {
    const some = Array.from(members.subarray(next, next + piece));
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
    await withRetries(() => pool.query({ name: "bets.index", text: INDEX, values: [some, ...columns, roundId] }));
    yield;
  }
  failpoint("index.finish", roundId);
  await pool.query("update rounds set indexed_at = $1 where id = $2 and indexed_at is null", [clock.now(), roundId]);
}
