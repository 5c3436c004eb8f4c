import type { JobContext } from "#db/postgres/work.ts";
import type { Counted, CountedElsewhere } from "./shared-rates.ts";

/** Past windows are retained this long: other processes' clocks may be a little behind. */
const RETENTION_MS = 60_000;

/**
 * Writes this process's counts and reads the others' counts of the same addresses. Each process writes only its own
 * rows, so none waits for a lock. $1: the window's start; $2: the process; $3, $4: addresses and their counts; $5:
 * before when windows are forgotten.
 */
const SHARE = `with
forgotten as (delete from rate_windows where started_at < $5 and process = $2),
mine as (
  insert into rate_windows (started_at, subject, process, requests)
  select $1::bigint, s, $2::text, n from unnest($3::text[], $4::int[]) as counted(s, n)
  on conflict (started_at, subject, process) do update set requests = excluded.requests
)
select subject, sum(requests) as requests from rate_windows
where started_at = $1 and subject = any($3) and process <> $2 group by subject`;

export async function shareRates(
  { pool }: JobContext,
  { process, startedAt, subjects, requests }: Counted,
): Promise<CountedElsewhere[]> {
  const values = [startedAt, process, subjects, requests, startedAt - RETENTION_MS];
  const { rows } = await pool.query<CountedElsewhere>({ name: "rates.share", text: SHARE, values });
  return rows;
}
