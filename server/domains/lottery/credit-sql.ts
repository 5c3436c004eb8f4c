import { SHARE_LEDGER } from "#db/postgres/transactions.ts";
import { WIN_PAID } from "#server/domains/ledger/wallet-sql.ts";

const PERIOD: Record<string, string> = { day: "$7", week: "$8", month: "$9" };
const paid = WIN_PAID.replaceAll(":total", "win").replace(/:(day|week|month)/g, (_, period: string) => PERIOD[period]!);

/**
 * Credits a piece of a drawn round as one statement. $1 round; $2 up to whom it is settled, $3 up to whom it is then;
 * $4, $5 members in order and their wins, 0 for none; $6 now; $7…$9 the round's day, week and month. Answers with every
 * member's balance and version, or with nothing, and then nothing was written.
 */
export const CREDIT = `with
shared as materialized (select ${SHARE_LEDGER}),
turn as (update rounds set settled_to = $3 from shared where id = $1 and settled_to = $2 and settled_at is null returning id),
wins as materialized (select member, win from turn, unnest($4::bigint[], $5::bigint[]) as o(member, win)),
locked as materialized (
  select member_id as at, balance, version, win from wallets join wins on member = member_id order by member_id for update of wallets
),
credited as (
  update wallets set ${paid} from (select at, win from locked where win > 0) as won
  where member_id = at returning member_id, wallets.balance, wallets.version, win
),
payout as (
  insert into payouts (round_id, member_id, amount, version, balance_after, created_at)
  select $1, member_id, win, version, balance, $6 from credited order by member_id
),
house as (
  insert into house_entries (kind, amount, round_id, from_id, to_id, created_at)
  select 'payouts', -sum(win), $1, min(member), max(member), $6 from wins having sum(win) > 0
)
select member_id as "memberId", balance, version from credited
union all select at, balance, version from locked where win = 0 order by 1`;

/** Everybody is credited, and the payouts come to what the round owes: said once, to every process. $6 is the news. */
export const FINISH = `with
done as (
  update rounds set settled_at = $2, bet_count = $3, staked = $4, paid = $5 where id = $1 and settled_at is null
  and failed_at is null and $5::bigint = (select coalesce(sum(amount), 0) from payouts where round_id = $1) returning id
)
insert into outbox (topic, payload, created_at) select 'round.settled', $6::json, $2 from done`;

/** A round failed a check: $1 round, $2 now, $3 which check, $4 the news. */
export const FAIL = `with
failed as (
  update rounds set failed_at = $2, failure = $3 where id = $1 and failed_at is null and settled_at is null returning id
)
insert into outbox (topic, payload, created_at) select 'round.failed', $4::json, $2 from failed`;
