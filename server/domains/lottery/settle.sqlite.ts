import type Sqlite from "better-sqlite3";
import { failpoint } from "#db/failpoint.ts";
import { immediately } from "#db/sqlite/open.ts";
import type { JobContext } from "#db/sqlite/writer.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import { NAMED, stampsOfDay, winPaid } from "#server/domains/ledger/wallet-sql.ts";
import { betPage, countPage, noBets, outcomeOf, type BetRow, type Count } from "./count-bets.ts";
import { indexRound, layRanges } from "./index-round.sqlite.ts";
import type { SettlePiece } from "./settle-piece.ts";
import { rangesOf, readRanges, type SettleRange } from "./settle-ranges.ts";
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

/** How long one transaction may hold the writer. */
export const PIECE_MS = 8;

/**
 * Settles a drawn round: counts all bets and checks the count, credits each winner once, in pieces and in the order of
 * their ids, and indexes the rows. Everything is derived from durable rows, so after a crash it goes on from what is paid.
 */
export function* settleRound(context: JobContext, roundId: number): Generator<SettlePiece | undefined, null> {
  const round = findDrawn(context.raw, roundId);
  if (isDone(round)) return null;
  failpoint("settle.count", roundId);
  const count = yield* countBets(context.raw, round);
  const bettors = bettorsOf(count);
  const ranges = rangesBefore(context.raw, roundId) ?? rangesOf(bettors, ONE_RANGE);
  if (round.settledAt === null) {
    const unpaid = checkRound(count, round, bettors, { ranges, payouts: paidBefore(context.raw, round) });
    if (unpaid.fault !== null) return yield* fail(context, round, unpaid.fault);
    yield { bettors };
    yield* creditAll(context, { round, count, ranges }, unpaid.members);
    const outcome = finish(context, round, count);
    if (outcome === "unequal") return yield* fail(context, round, UNEQUAL);
    if (outcome === "settled") yield { settled: settlementOf(count) };
  }
  yield* indexRound(context, { roundId, count, ranges }, bettors);
  return null;
}

function findDrawn(raw: Sqlite.Database, roundId: number): DrawnRound {
  const row = raw.prepare(readDrawn("?", "value ->> '$'")).get(roundId) as DrawnRow | undefined;
  if (!row) throw new Error(`round ${roundId} is not drawn`);
  return drawnRound(row, raw.prepare(readOdds("?")).raw().all(row.oddsId) as OddsRow[]);
}

/** One writer gains nothing from several ranges. */
const ONE_RANGE = { least: Infinity, most: 1 };

/** The ranges that an earlier attempt laid: several where a PostgreSQL did. */
function rangesBefore(raw: Sqlite.Database, roundId: number): SettleRange[] | null {
  const ranges = raw.prepare(readRanges("?")).all(roundId) as SettleRange[];
  return ranges.length > 0 ? ranges : null;
}

/** Payouts of an earlier attempt. */
const paidBefore = (raw: Sqlite.Database, { id }: DrawnRound) =>
  raw.prepare(readPayouts("?")).raw().all(id) as [number, number][];

/** Works out what every bet of the round wins, a page of rows at a time. Writes nothing. */
function* countBets(raw: Sqlite.Database, round: DrawnRound): Generator<undefined, Count> {
  const count = noBets();
  const page = raw.prepare(betPage("?", "?")).raw();
  for (let after: number | null = round.fromBet - 1; ;) {
    after = countPage(count, round, page.all(after, round.toBet) as BetRow[]);
    if (after === null) return count;
    yield;
  }
}

/** A round whose members are credited. */
interface Crediting {
  round: DrawnRound;
  count: Count;
  ranges: readonly SettleRange[];
}

function* creditAll(context: JobContext, crediting: Crediting, members: Float64Array) {
  const { round, ranges } = crediting;
  const credit = creditor(context.raw, crediting);
  for (const range of ranges) {
    const own = members.filter((memberId) => memberId >= range.fromId && memberId <= range.toId);
    for (let next = 0; next < own.length;) {
      const outcomes: MemberOutcome[] = [];
      immediately(context.raw, () => {
        // Counted from here: waiting for another process must not use up the piece.
        const until = performance.now() + PIECE_MS;
        const now = context.clock.now();
        do outcomes.push(credit.member(own[next++]!, now));
        while (next < own.length && performance.now() < until);
        credit.close(range, outcomes, { now, isLast: next === own.length });
        failpoint("settle.credit", round.id);
      });
      failpoint("settle.credited", round.id);
      yield { outcomes };
    }
  }
}

const PAY_WIN = `update wallets set ${winPaid(NAMED)} where member_id = :member returning balance, version`;

/** Prepared once, used for every member of the round. */
function creditor(raw: Sqlite.Database, { round, count, ranges }: Crediting) {
  const pay = raw.prepare(PAY_WIN).raw();
  const read = raw.prepare("select balance, version from wallets where member_id = ?").raw();
  const payout = raw.prepare(
    "insert into payouts (round_id, member_id, amount, version, balance_after, created_at) values (?, ?, ?, ?, ?, ?)",
  );
  const house = raw.prepare(
    "insert into house_entries (kind, amount, round_id, from_id, to_id, created_at) values ('payouts', ?, ?, ?, ?, ?)",
  );
  const tell = raw.prepare(
    "insert into messages (member_id, kind, facts, created_at) values (?, 'round.returned', ?, ?)",
  );
  const advance = advancer(raw, round, ranges);
  const stamps = stampsOfDay(round.day);
  return {
    member(memberId: number, now: number): MemberOutcome {
      const counted = count.members.get(memberId)!;
      const { win } = counted;
      const wallet = win ? pay.get({ total: win, member: memberId, ...stamps }) : read.get(memberId);
      const [balance, version] = wallet as [number, number];
      if (win) payout.run(round.id, memberId, win, version, balance, now);
      const facts = returnedFacts(round, win);
      if (facts !== null) tell.run(memberId, facts, now);
      return outcomeOf(memberId, counted, balance, version);
    },
    close(range: SettleRange, outcomes: MemberOutcome[], { now, isLast }: { now: number; isLast: boolean }): void {
      const last = outcomes.at(-1)!.memberId;
      const won = outcomes.reduce((sum, { win }) => sum + win, 0);
      if (won) house.run(-won, round.id, outcomes[0]!.memberId, last, now);
      advance(range, isLast ? range.toId : last);
    },
  };
}

/** Moves a range on, never back, and only where no other process has moved it. The first time it lays all of them. */
function advancer(raw: Sqlite.Database, { id }: DrawnRound, ranges: readonly SettleRange[]) {
  const advance = raw.prepare(
    `update settle_ranges set settled_to = ? where round_id = ? and from_id = ? and settled_to = ?
     and exists (select 1 from rounds where id = round_id and settled_at is null and failed_at is null)`,
  );
  const settledTo = new Map(ranges.map((range) => [range, range.settledTo]));
  return (range: SettleRange, to: number): void => {
    layRanges(raw, id, ranges);
    const before = settledTo.get(range)!;
    const after = Math.max(before, to);
    const { changes } = advance.run(after, id, range.fromId, before);
    if (changes !== 1) throw new Error(`round ${id} is being settled by another process`);
    settledTo.set(range, after);
  };
}

const QUEUE = queueResults({ round: ":round", game: ":game", now: ":now" });
const SETTLE = markSettled({ round: ":round", now: ":now", bets: ":bets", staked: ":staked", paid: ":paid" });

/** Marks the round as settled and announces it to every process, in one commit. */
function finish({ raw, clock }: JobContext, { id, gameId }: DrawnRound, count: Count): Finished {
  const now = clock.now();
  const { bets, staked, paid } = count;
  return immediately(raw, () => {
    failpoint("settle.finish", id);
    const { changes } = raw.prepare(SETTLE).run({ round: id, now, bets, staked, paid });
    if (changes === 1) {
      announce(raw, "round.settled", { gameId, roundId: id }, now);
      raw.prepare(QUEUE).run({ round: id, game: gameId, now });
      return "settled";
    }
    const isBefore = raw.prepare("select settled_at from rounds where id = ?").pluck().get(id) !== null;
    return isBefore ? "before" : "unequal";
  });
}

const FAIL = markFailed({ round: ":round", now: ":now", failure: ":failure" });

/** Marks a round that failed a check. It stays so until `round:retry`. */
function* fail({ raw, clock }: JobContext, { id, gameId }: DrawnRound, failure: string): Generator<SettlePiece, null> {
  const now = clock.now();
  const isFirst = immediately(raw, () => {
    const { changes } = raw.prepare(FAIL).run({ round: id, now, failure });
    if (changes === 1) announce(raw, "round.failed", { gameId, roundId: id }, now);
    return changes === 1;
  });
  if (isFirst) yield { failed: failure };
  return null;
}

function announce(raw: Sqlite.Database, topic: string, payload: object, now: number): void {
  raw
    .prepare("insert into outbox (topic, payload, created_at) values (?, ?, ?)")
    .run(topic, JSON.stringify(payload), now);
}
