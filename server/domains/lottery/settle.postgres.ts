import { failpoint } from "#db/failpoint.ts";
import { isDuplicate } from "#db/postgres/pool.ts";
import { SHARE_LEDGER } from "#db/postgres/transactions.ts";
import type { JobContext } from "#db/postgres/work.ts";
import { stampsOfDay, winPaid } from "#server/domains/ledger/wallet-sql.ts";
import { betPage, countPage, noBets, outcomeOf, type BetRow, type Count } from "./count-bets.ts";
import { indexRound } from "./index-round.postgres.ts";
import { inRanges, rangesIn } from "./in-ranges.postgres.ts";
import { withRetries } from "./retries.postgres.ts";
import type { SettlePiece } from "./settle-piece.ts";
import { isSettledIn, rangesOf, type SettleRange } from "./settle-ranges.ts";
import {
  bettorsOf,
  checkRound,
  drawnRound,
  isDone,
  markFailed,
  markSettled,
  queueResults,
  readDrawn,
  readOdds,
  readPayouts,
  returnedFacts,
  settlementOf,
  UNEQUAL,
  type DrawnRound,
  type DrawnRow,
  type Finished,
  type OddsRow,
} from "./settle.ts";

/** How much is done at once. */
export interface Sizes {
  /** Members credited, or indexed, by one statement. */
  piece: number;
  /** Bettors of a range, at least. */
  range: number;
}

const SIZES: Sizes = { piece: 500, range: 2_000 };
const MOST_RANGES = 16;

/**
 * Settles a drawn round as settle.sqlite.ts does, its ranges side by side. Several processes may do it at once: each piece
 * begins where its range stands, in one statement that locks the range.
 */
export async function* settleRound(
  context: JobContext,
  roundId: number,
  sizes: Sizes = SIZES,
): AsyncGenerator<SettlePiece | undefined, null> {
  const round = await findDrawn(context, roundId);
  if (isDone(round)) return null;
  failpoint("settle.count", roundId);
  const count = yield* countBets(context, round);
  const bettors = bettorsOf(count);
  // Read before the payouts: of those there may then be more than the ranges say, never fewer.
  let ranges = await rangesIn(context.pool, roundId);
  if (round.settledAt === null) {
    const unpaid = checkRound(count, round, bettors, { ranges, payouts: await paidBefore(context, round) });
    if (unpaid.fault !== null) return yield* fail(context, round, unpaid.fault);
    yield { bettors };
    const crediting = { round, count, piece: sizes.piece };
    // By the ranges that were checked: newer ones hold members whom another process has paid since.
    yield* creditLate(context, crediting, ranges, unpaid.members);
    ranges = await layRanges(context, roundId, ranges, rangesFor(bettors, sizes));
    yield* creditAll(context, crediting, ranges, unpaid.members);
    const outcome = await finish(context, round, count);
    if (outcome === "unequal") return yield* fail(context, round, UNEQUAL);
    if (outcome === "settled") yield { settled: settlementOf(count) };
  }
  ranges = await layRanges(context, roundId, ranges, rangesFor(bettors, sizes));
  yield* indexRound(context, { roundId, count, ranges }, bettors, sizes.piece);
  return null;
}

const rangesFor = (bettors: Float64Array, { range }: Sizes) => rangesOf(bettors, { least: range, most: MOST_RANGES });

async function findDrawn({ pool }: JobContext, roundId: number): Promise<DrawnRound> {
  const { rows } = await pool.query<DrawnRow>(readDrawn("$1", "value #>> '{}'"), [roundId]);
  const [row] = rows;
  if (!row) throw new Error(`round ${roundId} is not drawn`);
  const odds = await pool.query<OddsRow>({ text: readOdds("$1"), values: [row.oddsId], rowMode: "array" });
  return drawnRound(row, odds.rows);
}

/** Payouts of an earlier attempt. */
async function paidBefore({ pool }: JobContext, { id }: DrawnRound): Promise<[number, number][]> {
  const { rows } = await pool.query<[number, number]>({ text: readPayouts("$1"), values: [id], rowMode: "array" });
  return rows;
}

const LAY = `insert into settle_ranges (round_id, from_id, to_id, settled_to, indexed_to)
  select round.id, f, t, f - 1, f - 1
  from (select id from rounds where id = $1 and indexed_at is null for share) as round, unnest($2::bigint[], $3::bigint[]) as o(f, t)`;

/**
 * Writes down the ranges of a round that had none. Returns those that it has: of two processes one writes, since the
 * first range always begins at 1. None, where another process has indexed the round meanwhile.
 */
async function layRanges({ pool }: JobContext, roundId: number, before: SettleRange[], ranges: SettleRange[]) {
  if (before.length > 0 || ranges.length === 0) return before;
  failpoint("settle.ranges", roundId);
  try {
    const values = [roundId, ranges.map(({ fromId }) => fromId), ranges.map(({ toId }) => toId)];
    return (await pool.query(LAY, values)).rowCount === 0 ? [] : ranges;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return rangesIn(pool, roundId);
  }
}

const PAGE_TEXT = betPage("$1", "$2");

async function* countBets({ pool }: JobContext, round: DrawnRound): AsyncGenerator<undefined, Count> {
  const count = noBets();
  for (let after: number | null = round.fromBet - 1; ;) {
    const values = [after, round.toBet];
    const { rows } = await pool.query<BetRow>({ name: "bets.page", text: PAGE_TEXT, values, rowMode: "array" });
    after = countPage(count, round, rows);
    if (after === null) return count;
    yield;
  }
}

/** A round whose members are credited, some at a time. */
interface Crediting {
  round: DrawnRound;
  count: Count;
  piece: number;
}

/** Credits those of `members` who had been passed over: their ranges stay where they stand. */
async function* creditLate(context: JobContext, crediting: Crediting, ranges: SettleRange[], members: Float64Array) {
  const { round, piece } = crediting;
  for (const range of ranges) {
    const late = members.filter((memberId) => isSettledIn([range], memberId));
    for (let from = 0; from < late.length; from += piece) {
      const some = Array.from(late.subarray(from, from + piece));
      const outcomes = await credit(context, crediting, some, { range, to: range.settledTo });
      if (!outcomes) throw new Error(`round ${round.id} is being settled by another process`);
      yield { outcomes };
    }
  }
}

/** Credits those of `members` behind whom no range stands yet. */
function creditAll(context: JobContext, crediting: Crediting, ranges: SettleRange[], members: Float64Array) {
  const { round, piece } = crediting;
  const step = async (range: SettleRange, some: number[], to: number) => {
    const outcomes = await credit(context, crediting, some, { range, to });
    failpoint("settle.credited", round.id);
    return outcomes && { outcomes };
  };
  return inRanges(ranges, { pool: context.pool, roundId: round.id, progress: "settledTo", members, piece, step });
}

/**
 * Credits a piece of a drawn round as one statement. $1 round; $2 and $3 `settled_to` before and after, of the range that
 * begins at $11; $4 and $5 members in order and their wins, 0 for none; $6 now; $7…$9 the round's day, week and month; $10
 * what the members read, null where nothing came back. Returns every member's balance and version; no row means that
 * nothing was written.
 */
export const CREDIT = `with
shared as materialized (select ${SHARE_LEDGER}),
turn as (
  update settle_ranges set settled_to = $3 from shared where round_id = $1 and from_id = $11 and settled_to = $2
  and exists (select 1 from rounds where id = $1 and settled_at is null and failed_at is null) returning round_id
),
wins as materialized (select member, win, facts from turn, unnest($4::bigint[], $5::bigint[], $10::text[]) as o(member, win, facts)),
locked as materialized (
  select member_id as at, balance, version, win from wallets join wins on member = member_id order by member_id for update of wallets
),
credited as (
  update wallets set ${winPaid({ total: "win", day: "$7", week: "$8", month: "$9" })} from (select at, win from locked where win > 0) as won
  where member_id = at returning member_id, wallets.balance, wallets.version, win
),
payout as (
  insert into payouts (round_id, member_id, amount, version, balance_after, created_at)
  select $1, member_id, win, version, balance, $6 from credited order by member_id
),
told as (
  insert into messages (member_id, kind, facts, created_at)
  select member, 'round.returned', facts::json, $6 from wins where facts is not null order by member
),
house as (
  insert into house_entries (kind, amount, round_id, from_id, to_id, created_at)
  select 'payouts', -sum(win), $1, min(member), max(member), $6 from wins having sum(win) > 0
)
select member_id as "memberId", balance, version from credited
union all select at, balance, version from locked where win = 0 order by 1`;

/** Credits some members in one commit, or nobody if the range is not settled exactly up to there. */
async function credit(
  { pool, clock }: JobContext,
  { round, count }: Crediting,
  members: number[],
  { range, to }: { range: SettleRange; to: number },
) {
  failpoint("settle.credit", round.id);
  const wins = members.map((memberId) => count.members.get(memberId)!.win);
  const facts = members.map((memberId, i) => returnedFacts(round, wins[i]!));
  const { day, week, month } = stampsOfDay(round.day);
  const settled = [range.settledTo, to];
  const values = [round.id, ...settled, members, wins, clock.now(), day, week, month, facts, range.fromId];
  const { rows } = await withRetries(() =>
    pool.query<{ memberId: number; balance: number; version: number }>({ name: "bets.credit", text: CREDIT, values }),
  );
  if (rows.length === 0) return null;
  return rows.map(({ memberId, balance, version }) =>
    outcomeOf(memberId, count.members.get(memberId)!, balance, version),
  );
}

/** Marks the round as settled and announces it to every process, in one statement. $6 is the announcement. */
const FINISH = `with
done as (${markSettled({ round: "$1", now: "$2", bets: "$3", staked: "$4", paid: "$5::bigint" })} returning id),
queued as (${queueResults({ round: "$1", game: "$7", now: "$2" })} and exists (select 1 from done))
insert into outbox (topic, payload, created_at) select 'round.settled', $6::json, $2 from done`;

async function finish({ pool, clock }: JobContext, { id, gameId }: DrawnRound, count: Count): Promise<Finished> {
  failpoint("settle.finish", id);
  const payload = JSON.stringify({ gameId, roundId: id });
  const values = [id, clock.now(), count.bets, count.staked, count.paid, payload, gameId];
  const { rowCount } = await withRetries(() => pool.query(FINISH, values));
  if (rowCount === 1) return "settled";
  const { rows } = await pool.query<{ at: number | null }>("select settled_at as at from rounds where id = $1", [id]);
  return rows[0]!.at === null ? "unequal" : "before";
}

/** $4 is the announcement. */
const FAIL = `with
failed as (${markFailed({ round: "$1", now: "$2", failure: "$3" })} returning id)
insert into outbox (topic, payload, created_at) select 'round.failed', $4::json, $2 from failed`;

/** Marks a round that failed a check. It stays so until `round:retry`. */
async function* fail(
  { pool, clock }: JobContext,
  { id, gameId }: DrawnRound,
  failure: string,
): AsyncGenerator<SettlePiece, null> {
  const payload = JSON.stringify({ gameId, roundId: id });
  const { rowCount } = await withRetries(() => pool.query(FAIL, [id, clock.now(), failure, payload]));
  if (rowCount === 1) yield { failed: failure };
  return null;
}
