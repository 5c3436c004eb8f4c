import { SHARE_LEDGER } from "#db/postgres/transactions.ts";
import { mayStake, stakeTaken, type WalletValues } from "#server/domains/ledger/wallet-sql.ts";
import { DAY_MS } from "#shared/time.ts";
import { OWN_KEY } from "./bet-book.ts";

/** The values of the wallet's update: columns of the orders, and parameters. */
const VALUES: WalletValues = { total: "o_total", now: "o_now", day: "o_day", week: "o_week", month: "o_month" };

/** Days, weeks and months as `dayOf`, `weekOf` and `monthOf` count them (shared/time.ts). */
export const stampsAt = (
  now: string,
) => `(${now} / ${DAY_MS})::int as o_day, ((${now} / ${DAY_MS} + 3) / 7)::int as o_week,
    (extract(year from to_timestamp(${now} / 1000) at time zone 'UTC') * 12 - 1970 * 12
      + extract(month from to_timestamp(${now} / 1000) at time zone 'UTC') - 1)::int as o_month`;

/**
 * A batch of bets as one statement, which is one commit: no process can freeze between its parts. $1…$7: columns of the
 * orders, at most one order of each member; $8…$10: how the time is read (`Reading`).
 *
 * Its order prevents deadlocks and late bets:
 * 1. the ledger's shared lock (ledger_reach);
 * 2. the rounds FOR SHARE: this waits for closing, and closing waits for this;
 * 3. the time, which also tells the day of the limits, and the ledger's unit, read only after that: a round whose odds are
 *    in another unit takes no bets;
 * 4. wallets locked in the order of their members, so that no two batches deadlock;
 * 5. the conditional update, numbers without a gap, and the rows.
 *
 * The table of the house's rows is locked before the statement reads anything. So `log_keys` is as new as its row: the
 * log's key is never replaced between the two (last_batch).
 */
export const PLACE = `with
orders as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
    with ordinality as o(o_member, o_round, o_mask, o_stake, o_total, o_key, o_hash, n)
),
shared as materialized (select ${SHARE_LEDGER}),
held as materialized (
  select r.id, r.odds_id, r.closes_at, r.draws_at - (select period_s * 1000 from games g where g.id = r.game_id) as opens_at
  from rounds r, shared
  where r.id in (select o_round from orders) and r.closed_at is null order by r.id for share of r
),
moment as materialized (
  select case when count(*) >= 0 then floor($8::float8 + (extract(epoch from clock_timestamp())::float8 * 1000 - $9) * $10)::bigint end as o_now,
    case when count(*) >= 0 then ledger_unit() end as o_unit
  from held
),
open as materialized (
  select held.id as open_id, odds_id, o_now, ${stampsAt("o_now")} from held, moment
  where opens_at <= o_now and o_now < closes_at and o_unit = (select unit from odds where odds.id = odds_id)
),
asked as materialized (
  select o.*, known.* from orders o left join lateral (
    select bet_id, request_hash from bet_keys where member_id = o_member and key = o_key
    union all select bet_id, request_hash from spent_keys where member_id = o_member and key = o_key
  ) known on true
),
fresh as materialized (
  select asked.*, odds_id as o_odds, o_now, o_day, o_week, o_month from asked join open on open_id = o_round where bet_id is null
),
locked as materialized (
  select member_id from wallets where member_id in (select o_member from fresh) order by member_id for update
),
taken as (
  update wallets set ${stakeTaken(VALUES)}
  from fresh where member_id = o_member and (select count(*) from locked) > 0 and ${mayStake(VALUES)}
  returning fresh.*, balance, version
),
numbers as materialized (
  select case when count(*) > 0 then take_bet_numbers(count(*)) end as first from taken
),
placed as materialized (
  select taken.*, first + row_number() over (order by n) - 1 as id from taken, numbers
),
bet as (
  insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
  select id, o_member, o_round, o_odds, o_mask, o_stake, o_total, version, balance, o_now from placed order by id
),
key as (
  insert into bet_keys (member_id, key, bet_id, request_hash)
  select o_member, coalesce(o_key, '${OWN_KEY}' || version), id, o_hash from placed
),
house as (
  insert into house_entries (kind, amount, from_id, to_id, created_at)
  select 'bets', sum(o_total), min(id), max(id), o_now from placed group by o_now returning id
)
select n, 'taken' as what, id, balance, version, null as hash, o_now as now, (select id from house) as commit,
  (select max(id) from log_keys) as logkey from placed
union all
select n, 'known', bet_id, balance_after, version, request_hash, null, null, null from asked join bets on bets.id = bet_id
union all
select null, 'open', open_id, null, null, null, o_now, null, null from moment left join open using (o_now)`;
