import { failpoint } from "#db/failpoint.ts";
import type { JobContext } from "#db/postgres/work.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import { stampsOfDay } from "#server/domains/ledger/wallet-sql.ts";
import type { OddsMilli } from "#shared/lottery/rules.ts";
import type { SettlePiece } from "./bet-book.ts";
import { BET_PAGE, countPage, faultOf, noBets, settlersOf, unpaidOf } from "./count-bets.ts";
import type { BetRow, Count, DrawnForSettling } from "./count-bets.ts";
import { CREDIT, FAIL, FINISH } from "./credit-sql.ts";
import { indexRound } from "./index-round.postgres.ts";
import { withRetries } from "./until-done.postgres.ts";

/** Members credited by one statement. */
const PIECE = 500;

interface RoundRow extends DrawnForSettling {
  gameId: number;
  day: number;
  settledTo: number;
  settledAt: number | null;
  indexedAt: number | null;
  failedAt: number | null;
}

/**
 * Settles a drawn round as settle.sqlite.ts does. Several processes may do it at once: each piece begins where
 * `settled_to` stands, in one statement that holds the round, so whoever comes second goes on behind the first.
 */
export async function* settleRound(
  context: JobContext,
  roundId: number,
  piece: number = PIECE,
): AsyncGenerator<SettlePiece | undefined, null> {
  const round = await readDrawn(context, roundId);
  if (round.indexedAt !== null || round.failedAt !== null) return null;
  failpoint("settle.count", roundId);
  const count = yield* countBets(context, round);
  const members = Float64Array.from(count.members.keys()).sort();
  if (round.settledAt === null) {
    const unpaid = unpaidOf(count, members, round.settledTo, await readPaid(context, round));
    const fault = faultOf(count, round) ?? unpaid.fault;
    if (fault !== null) return yield* fail(context, round, fault);
    yield { bettors: members };
    yield* creditAll(context, round, count, unpaid.members, piece);
    const outcome = await finish(context, round, count);
    if (outcome === "unequal") return yield* fail(context, round, "its payouts are not what it owes");
    if (outcome === "settled")
      yield { settled: { bets: count.bets, members: members.length, staked: count.staked, paid: count.paid } };
  }
  yield* indexRound(context, roundId, count, members, piece);
  return null;
}

/** Marks a round that failed a check. It stays so until `round:retry`. */
async function* fail(
  { pool, clock }: JobContext,
  { id, gameId }: RoundRow,
  failure: string,
): AsyncGenerator<SettlePiece, null> {
  const news = JSON.stringify({ gameId, roundId: id });
  const { rowCount } = await withRetries(() => pool.query(FAIL, [id, clock.now(), failure, news]));
  if (rowCount === 1) yield { failed: failure };
  return null;
}

/** Who was paid before: nobody where nobody has had their turn. */
async function readPaid({ pool }: JobContext, { id, settledTo }: RoundRow): Promise<[number, number][]> {
  if (settledTo === 0) return [];
  const text = "select member_id, amount from payouts where round_id = $1";
  const { rows } = await pool.query<[number, number]>({ text, values: [id], rowMode: "array" });
  return rows;
}

type DrawnRow = Omit<RoundRow, "settlers"> & { kind: string; dice: string; unit: string | null };

async function readDrawn({ pool }: JobContext, roundId: number): Promise<RoundRow> {
  const { rows } = await pool.query<DrawnRow>(
    `select id, game_id as "gameId", (select kind from games where games.id = game_id) as kind, day, from_bet as "fromBet",
     to_bet as "toBet", dice, settled_to as "settledTo", settled_at as "settledAt", indexed_at as "indexedAt",
     failed_at as "failedAt", (select value #>> '{}' from settings where name = 'unit') as unit
     from rounds where id = $1 and drawn_at is not null`,
    [roundId],
  );
  const [row] = rows;
  if (!row) throw new Error(`round ${roundId} is not drawn`);
  const table = await pool.query<{ id: number; milli: string }>("select id, milli from odds where game_id = $1", [
    row.gameId,
  ]);
  const odds = table.rows.map(({ id, milli }) => [id, JSON.parse(milli) as OddsMilli] as const);
  const { kind, dice, unit } = row;
  return { ...row, settlers: settlersOf({ kind, dice: JSON.parse(dice) as number[], odds, unit }) };
}

const PAGE_TEXT = BET_PAGE.replace("?", "$1").replace("?", "$2");

async function* countBets({ pool }: JobContext, round: RoundRow): AsyncGenerator<undefined, Count> {
  const count = noBets();
  for (let after: number | null = round.fromBet - 1; ;) {
    const values = [after, round.toBet];
    const { rows } = await pool.query<BetRow>({ name: "bets.page", text: PAGE_TEXT, values, rowMode: "array" });
    after = countPage(count, round, rows);
    if (after === null) return count;
    yield;
  }
}

/** Credits `members`, in order. Those whose turn was over before come first, and leave `settled_to` where it stands. */
async function* creditAll(context: JobContext, round: RoundRow, count: Count, members: Float64Array, piece: number) {
  let { settledTo } = round;
  const late = members.filter((memberId) => memberId <= settledTo);
  for (let from = 0; from < late.length; from += piece) {
    const some = Array.from(late.subarray(from, from + piece));
    const outcomes = await credit(context, round, count, some, { from: settledTo, to: settledTo });
    if (!outcomes) throw new Error(`round ${round.id} is being settled by another process`);
    yield { outcomes };
  }
  for (;;) {
    const from = members.findIndex((memberId) => memberId > settledTo);
    if (from < 0) return;
    const some = Array.from(members.subarray(from, from + piece));
    const outcomes = await credit(context, round, count, some, { from: settledTo, to: some.at(-1)! });
    failpoint("settle.credited", round.id);
    if (outcomes) {
      yield { outcomes };
      settledTo = some.at(-1)!;
    } else {
      // Another process was here first: it goes on behind that.
      const { rows } = await context.pool.query<{ to: number }>("select settled_to as to from rounds where id = $1", [
        round.id,
      ]);
      settledTo = rows[0]!.to;
    }
  }
}

/** Credits some members in one commit, or nobody if the round is not settled exactly up to there. */
async function credit(
  { pool, clock }: JobContext,
  round: RoundRow,
  count: Count,
  members: number[],
  settled: { from: number; to: number },
) {
  failpoint("settle.credit", round.id);
  const wins = members.map((memberId) => count.members.get(memberId)!.win);
  const { day, week, month } = stampsOfDay(round.day);
  const values = [round.id, settled.from, settled.to, members, wins, clock.now(), day, week, month];
  const { rows } = await withRetries(() =>
    pool.query<{ memberId: number; balance: number; version: number }>({ name: "bets.credit", text: CREDIT, values }),
  );
  if (rows.length === 0) return null;
  return rows.map(({ memberId, balance, version }): MemberOutcome => {
    const { ids, wins, win } = count.members.get(memberId)!;
    return { memberId, bets: ids.map((id, i) => ({ id, win: wins[i]! })), win, balance, version };
  });
}

async function finish(
  { pool, clock }: JobContext,
  round: RoundRow,
  count: Count,
): Promise<"settled" | "before" | "unequal"> {
  failpoint("settle.finish", round.id);
  const news = JSON.stringify({ gameId: round.gameId, roundId: round.id });
  const values = [round.id, clock.now(), count.bets, count.staked, count.paid, news];
  const { rowCount } = await withRetries(() => pool.query(FINISH, values));
  if (rowCount === 1) return "settled";
  const { rows } = await pool.query<{ at: number | null }>("select settled_at as at from rounds where id = $1", [
    round.id,
  ]);
  return rows[0]!.at === null ? "unequal" : "before";
}
