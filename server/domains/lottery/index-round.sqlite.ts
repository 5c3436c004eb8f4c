import type Sqlite from "better-sqlite3";
import { failpoint } from "#db/failpoint.ts";
import { immediately } from "#db/sqlite/open.ts";
import type { JobContext } from "#db/sqlite/writer.ts";
import { OWN_KEY } from "./bet-book.ts";
import type { Count } from "./count-bets.ts";
import { leftIn, standsAfter, type SettleRange } from "./settle-ranges.ts";

const PIECE_MS = 8;

/** Writes down the ranges of a round, unless they are there or it is indexed. */
export function layRanges(raw: Sqlite.Database, roundId: number, ranges: readonly SettleRange[]): void {
  const lay = raw.prepare(
    `insert or ignore into settle_ranges (round_id, from_id, to_id, settled_to, indexed_to)
     select id, ?, ?, ?, ? from rounds where id = ? and indexed_at is null`,
  );
  for (const { fromId, toId, settledTo, indexedTo } of ranges) lay.run(fromId, toId, settledTo, indexedTo, roundId);
}

/** A settled round that is indexed. */
interface Indexing {
  roundId: number;
  count: Count;
  ranges: readonly SettleRange[];
}

/**
 * Writes a settled round's bets and payouts into the journal index, sorted by member, so that neighbouring rows share
 * their pages, and moves the bets' keys to the spent ones. After a crash it goes on where its ranges stand.
 */
export function* indexRound(context: JobContext, { roundId, count, ranges }: Indexing, members: Float64Array) {
  const { raw, clock } = context;
  const insert = raw.prepare(
    "insert or ignore into journal_index (member_id, version, kind, row_id) values (?, ?, ?, ?)",
  );
  const moveKeys = keyMover(context);
  const payout = raw.prepare("select version from payouts where round_id = ? and member_id = ?").pluck();
  const advance = raw.prepare(
    "update settle_ranges set indexed_to = :to where round_id = :round and from_id = :from and indexed_to < :to",
  );
  for (const range of ranges) {
    const left = leftIn(range, "indexedTo", members);
    for (let next = 0; next < left.length;) {
      immediately(raw, () => {
        const until = performance.now() + PIECE_MS;
        layRanges(raw, roundId, ranges);
        const from = next;
        while (next < left.length && performance.now() < until) {
          const memberId = left[next++]!;
          const { ids, versions, win } = count.members.get(memberId)!;
          for (const [i, id] of ids.entries()) insert.run(memberId, versions[i], "bet", id);
          moveKeys(memberId, ids);
          if (win) insert.run(memberId, payout.get(roundId, memberId), "payout", roundId);
        }
        const to = standsAfter(range, left.subarray(from, next), left.subarray(from));
        advance.run({ to, round: roundId, from: range.fromId });
        failpoint("index.piece", roundId);
      });
      yield;
    }
  }
  failpoint("index.finish", roundId);
  immediately(raw, () => {
    raw.prepare("update rounds set indexed_at = ? where id = ? and indexed_at is null").run(clock.now(), roundId);
    raw.prepare("delete from settle_ranges where round_id = ?").run(roundId);
  });
}

/** Moves the keys of a member's bets to the spent ones. Keys that no caller sent are deleted. */
function keyMover({ raw }: JobContext): (memberId: number, betIds: number[]) => void {
  const read = raw.prepare("select key, bet_id, request_hash from bet_keys where member_id = ?").raw();
  const drop = raw.prepare("delete from bet_keys where member_id = ? and key = ?");
  const spend = raw.prepare("insert into spent_keys (member_id, key, bet_id, request_hash) values (?, ?, ?, ?)");
  return (memberId, betIds) => {
    const indexed = new Set(betIds);
    for (const [key, betId, requestHash] of read.all(memberId) as [string, number, string][]) {
      if (!indexed.has(betId)) continue;
      if (!key.startsWith(OWN_KEY)) spend.run(memberId, key, betId, requestHash);
      drop.run(memberId, key);
    }
  };
}
