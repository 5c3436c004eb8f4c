import type { JobContext } from "#db/postgres/work.ts";
import { DAY_MS } from "#shared/time.ts";

const PAGE = 2_000;

/** Deletes the spent idempotency keys of bets whose round closed a day ago, page by page. Returns how many. */
export async function* pruneKeys({ pool, clock }: JobContext): AsyncGenerator<undefined, number> {
  const { rows } = await pool.query<{ to: number }>(
    "select to_bet as to from rounds where closed_at < $1 order by id desc limit 1",
    [clock.now() - DAY_MS],
  );
  if (!rows[0]) return 0;
  let pruned = 0;
  for (let last: [number, string] = [0, ""]; ;) {
    const page = await pool.query<{ dropped: number; seen: number; member: number; key: string }>(
      `with page as materialized (
         select member_id, key, bet_id from spent_keys where (member_id, key) > ($1, $2) order by member_id, key limit ${PAGE}
       ),
       dropped as (
         delete from spent_keys s using page p
         where s.member_id = p.member_id and s.key = p.key and p.bet_id <= $3 returning 1
       )
       select (select count(*) from dropped) as dropped, (select count(*) from page) as seen, member_id as member, key
       from page order by member_id desc, key desc limit 1`,
      [...last, rows[0].to],
    );
    const [end] = page.rows;
    pruned += end?.dropped ?? 0;
    if (!end || end.seen < PAGE) return pruned;
    last = [end.member, end.key];
    yield;
  }
}
