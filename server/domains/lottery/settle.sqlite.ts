import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import type { Workbench } from "#db/sqlite/writer.ts";
import type { MemberOutcome } from "#server/deps.ts";
import { PAY_WIN, stampsOfDay } from "#server/domains/ledger/wallet-sql.ts";
import type { Dice, OddsMilli } from "#shared/lottery/dice-sum.ts";
import { sumOf } from "#shared/lottery/dice-sum.ts";
import type { SettlePiece } from "./bet-book.ts";
import { BET_PAGE, countPage, noBets, type BetRow, type Count, type DrawnForSettling } from "./count-bets.ts";
import { indexRound } from "./index-round.sqlite.ts";

/** How long one piece may keep the writer. */
export const PIECE_MS = 8;

/**
 * Settles a drawn round: counts all bets, credits each winner once, in pieces
 * and in the order of their ids, and indexes the rows. Everything is derived
 * from durable rows, so after a crash it simply goes on where `settled_to` stands.
 */
export function* settleRound(bench: Workbench, roundId: number): Generator<SettlePiece | undefined, null> {
  const round = readDrawn(bench.raw, roundId);
  if (round.indexedAt !== null) return null;
  const count = yield* countBets(bench.raw, round);
  const members = Float64Array.from(count.members.keys()).sort();
  if (round.settledAt === null) {
    yield { bettors: members };
    yield* creditAll(bench, round, count, members);
    const settled = finish(bench, round, count);
    if (settled)
      yield { settled: { bets: count.bets, members: members.length, staked: count.staked, paid: count.paid } };
  }
  yield* indexRound(bench, roundId, count, members);
  return null;
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
}

function readDrawn(raw: Sqlite.Database, roundId: number): RoundRow {
  const row = raw
    .prepare(
      `select id, game_id as gameId, day, from_bet as fromBet, to_bet as toBet, dice, settled_to as settledTo,
       settled_at as settledAt, indexed_at as indexedAt from rounds where id = ? and drawn_at is not null`,
    )
    .get(roundId) as (Omit<RoundRow, "sum" | "odds"> & { dice: string }) | undefined;
  if (!row) throw new Error(`round ${roundId} is not drawn`);
  const odds = raw.prepare("select id, milli from odds where game_id = ?").raw().all(row.gameId) as [number, string][];
  const oddsById = new Map(odds.map(([id, milli]) => [id, JSON.parse(milli) as OddsMilli]));
  return { ...row, sum: sumOf(JSON.parse(row.dice) as Dice), odds: oddsById };
}

function* creditAll(bench: Workbench, round: RoundRow, count: Count, members: Float64Array) {
  const credit = creditor(bench.raw, round, count);
  let next = members.findIndex((memberId) => memberId > round.settledTo);
  while (next >= 0 && next < members.length) {
    const outcomes: MemberOutcome[] = [];
    immediately(bench.raw, () => {
      // Counted from here: waiting for another process must not use up the piece.
      const until = performance.now() + PIECE_MS;
      const now = bench.clock.now();
      do outcomes.push(credit.member(members[next++]!, now));
      while (next < members.length && performance.now() < until);
      credit.close(outcomes, now);
    });
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
  const advance = raw.prepare("update rounds set settled_to = ? where id = ? and settled_to = ?");
  const stamps = stampsOfDay(round.day);
  let settledTo = round.settledTo;
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
      const paid = outcomes.reduce((sum, { win }) => sum + win, 0);
      if (paid) house.run(-paid, round.id, outcomes[0]!.memberId, last, now);
      const { changes } = advance.run(last, round.id, settledTo);
      if (changes !== 1) throw new Error(`round ${round.id} is being settled by another process`);
      settledTo = last;
    },
  };
}

/** Says in one commit that everybody is credited, here and to whichever process has told nobody of it. */
function finish({ raw, clock }: Workbench, round: RoundRow, count: Count): boolean {
  const now = clock.now();
  return immediately(raw, () => {
    const { changes } = raw
      .prepare(
        "update rounds set settled_at = ?, bet_count = ?, staked = ?, paid = ? where id = ? and settled_at is null",
      )
      .run(now, count.bets, count.staked, count.paid, round.id);
    if (changes !== 1) return false;
    const news = JSON.stringify({ gameId: round.gameId, roundId: round.id });
    raw.prepare("insert into outbox (topic, payload, created_at) values ('round.settled', ?, ?)").run(news, now);
    return true;
  });
}
