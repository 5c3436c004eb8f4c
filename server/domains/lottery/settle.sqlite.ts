import type Sqlite from "better-sqlite3";
import { failpoint } from "#db/failpoint.ts";
import { immediately } from "#db/sqlite/open.ts";
import type { JobContext } from "#db/sqlite/writer.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import { PAY_WIN, stampsOfDay } from "#server/domains/ledger/wallet-sql.ts";
import type { OddsMilli } from "#shared/lottery/rules.ts";
import type { SettlePiece } from "./bet-book.ts";
import { BET_PAGE, countPage, faultOf, noBets, settlersOf, unpaidOf } from "./count-bets.ts";
import type { BetRow, Count, DrawnForSettling, Unpaid } from "./count-bets.ts";
import { indexRound } from "./index-round.sqlite.ts";

/** How long one piece may keep the writer. */
export const PIECE_MS = 8;

/**
 * Settles a drawn round: counts all bets and checks the count, credits each winner once, in pieces
 * and in the order of their ids, and indexes the rows. Everything is derived
 * from durable rows, so after a crash it simply goes on from what is paid.
 */
export function* settleRound(context: JobContext, roundId: number): Generator<SettlePiece | undefined, null> {
  const round = readDrawn(context.raw, roundId);
  if (round.indexedAt !== null || round.failedAt !== null) return null;
  failpoint("settle.count", roundId);
  const count = yield* countBets(context.raw, round);
  const members = Float64Array.from(count.members.keys()).sort();
  if (round.settledAt === null) {
    const unpaid = unpaidOf(count, members, round.settledTo, readPaid(context.raw, round));
    const fault = faultOf(count, round) ?? unpaid.fault;
    if (fault !== null) return yield* fail(context, round, fault);
    yield { bettors: members };
    yield* creditAll(context, round, count, unpaid);
    const outcome = finish(context, round, count);
    if (outcome === "unequal") return yield* fail(context, round, "its payouts are not what it owes");
    if (outcome === "settled")
      yield { settled: { bets: count.bets, members: members.length, staked: count.staked, paid: count.paid } };
  }
  yield* indexRound(context, roundId, count, members);
  return null;
}

/** Marks a round that failed a check. It stays so until `round:retry`. */
function* fail({ raw, clock }: JobContext, { id, gameId }: RoundRow, failure: string): Generator<SettlePiece, null> {
  const now = clock.now();
  const isFirst = immediately(raw, () => {
    const { changes } = raw
      .prepare("update rounds set failed_at = ?, failure = ? where id = ? and failed_at is null and settled_at is null")
      .run(now, failure, id);
    if (changes === 1) tell(raw, "round.failed", { gameId, roundId: id }, now);
    return changes === 1;
  });
  if (isFirst) yield { failed: failure };
  return null;
}

function tell(raw: Sqlite.Database, topic: string, payload: object, now: number): void {
  raw
    .prepare("insert into outbox (topic, payload, created_at) values (?, ?, ?)")
    .run(topic, JSON.stringify(payload), now);
}

/** Who was paid before: nobody where nobody has had their turn. */
function readPaid(raw: Sqlite.Database, { id, settledTo }: RoundRow): [number, number][] {
  if (settledTo === 0) return [];
  return raw.prepare("select member_id, amount from payouts where round_id = ?").raw().all(id) as [number, number][];
}

/** Works out what every bet of the round wins, a page of rows at a time. Writes nothing. */
function* countBets(raw: Sqlite.Database, round: RoundRow): Generator<undefined, Count> {
  const count = noBets();
  const page = raw.prepare(BET_PAGE).raw();
  for (let after: number | null = round.fromBet - 1; ;) {
    after = countPage(count, round, page.all(after, round.toBet) as BetRow[]);
    if (after === null) return count;
    yield;
  }
}

interface RoundRow extends DrawnForSettling {
  gameId: number;
  day: number;
  settledTo: number;
  settledAt: number | null;
  indexedAt: number | null;
  failedAt: number | null;
}

type DrawnRow = Omit<RoundRow, "settlers"> & { kind: string; dice: string; unit: string | null };

function readDrawn(raw: Sqlite.Database, roundId: number): RoundRow {
  const row = raw
    .prepare(
      `select id, game_id as gameId, (select kind from games where games.id = game_id) as kind, day, from_bet as fromBet,
       to_bet as toBet, dice, settled_to as settledTo, settled_at as settledAt, indexed_at as indexedAt, failed_at as failedAt,
       (select value ->> '$' from settings where name = 'unit') as unit from rounds where id = ? and drawn_at is not null`,
    )
    .get(roundId) as DrawnRow | undefined;
  if (!row) throw new Error(`round ${roundId} is not drawn`);
  const odds = raw.prepare("select id, milli from odds where game_id = ?").raw().all(row.gameId) as [number, string][];
  const table = odds.map(([id, milli]) => [id, JSON.parse(milli) as OddsMilli] as const);
  const { kind, dice, unit } = row;
  return { ...row, settlers: settlersOf({ kind, dice: JSON.parse(dice) as number[], odds: table, unit }) };
}

function* creditAll(context: JobContext, round: RoundRow, count: Count, { members }: Unpaid) {
  const credit = creditor(context.raw, round, count);
  for (let next = 0; next < members.length;) {
    const outcomes: MemberOutcome[] = [];
    immediately(context.raw, () => {
      // Counted from here: waiting for another process must not use up the piece.
      const until = performance.now() + PIECE_MS;
      const now = context.clock.now();
      do outcomes.push(credit.member(members[next++]!, now));
      while (next < members.length && performance.now() < until);
      credit.close(outcomes, now);
      failpoint("settle.credit", round.id);
    });
    failpoint("settle.credited", round.id);
    yield { outcomes };
  }
}

/** Prepared once, used for every member of the round. */
function creditor(raw: Sqlite.Database, round: RoundRow, count: Count) {
  const pay = raw.prepare(PAY_WIN).raw();
  const read = raw.prepare("select balance, version from wallets where member_id = ?").raw();
  const payout = raw.prepare(
    "insert into payouts (round_id, member_id, amount, version, balance_after, created_at) values (?, ?, ?, ?, ?, ?)",
  );
  const house = raw.prepare(
    "insert into house_entries (kind, amount, round_id, from_id, to_id, created_at) values ('payouts', ?, ?, ?, ?, ?)",
  );
  const advance = raw.prepare(
    "update rounds set settled_to = ? where id = ? and settled_to = ? and settled_at is null",
  );
  const stamps = stampsOfDay(round.day);
  let { settledTo } = round;
  return {
    member(memberId: number, now: number): MemberOutcome {
      const { ids, wins, win } = count.members.get(memberId)!;
      const wallet = win ? pay.get({ total: win, member: memberId, ...stamps }) : read.get(memberId);
      const [balance, version] = wallet as [number, number];
      if (win) payout.run(round.id, memberId, win, version, balance, now);
      return { memberId, bets: ids.map((id, i) => ({ id, win: wins[i]! })), win, balance, version };
    },
    close(outcomes: MemberOutcome[], now: number): void {
      const last = outcomes.at(-1)!.memberId;
      const won = outcomes.reduce((sum, { win }) => sum + win, 0);
      if (won) house.run(-won, round.id, outcomes[0]!.memberId, last, now);
      const next = Math.max(settledTo, last);
      const { changes } = advance.run(next, round.id, settledTo);
      if (changes !== 1) throw new Error(`round ${round.id} is being settled by another process`);
      settledTo = next;
    },
  };
}

/**
 * Says in one commit that everybody is credited, here and to whichever process has told nobody of it. A round whose
 * payouts do not come to what it owes is not settled.
 */
function finish({ raw, clock }: JobContext, round: RoundRow, count: Count): "settled" | "before" | "unequal" {
  const now = clock.now();
  return immediately(raw, () => {
    failpoint("settle.finish", round.id);
    const { changes } = raw
      .prepare(
        `update rounds set settled_at = ?, bet_count = ?, staked = ?, paid = ? where id = ? and settled_at is null
         and ? = (select coalesce(sum(amount), 0) from payouts where round_id = rounds.id)`,
      )
      .run(now, count.bets, count.staked, count.paid, round.id, count.paid);
    if (changes === 1) tell(raw, "round.settled", { gameId: round.gameId, roundId: round.id }, now);
    if (changes === 1) return "settled";
    const isBefore = raw.prepare("select settled_at from rounds where id = ?").pluck().get(round.id) !== null;
    return isBefore ? "before" : "unequal";
  });
}
