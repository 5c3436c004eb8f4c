import { failpoint } from "#db/failpoint.ts";
import { immediately } from "#db/sqlite/open.ts";
import type { JobContext } from "#db/sqlite/writer.ts";
import { OWN_KEY } from "./bet-book.ts";
import type { Count } from "./count-bets.ts";

const PIECE_MS = 8;

/**
 * Writes a settled round's bets and payouts into the journal index, sorted by member, so that neighbouring rows share
 * their pages, and moves the bets' keys to the spent ones. After a crash it starts over and skips rows that exist.
 */
export function* indexRound(context: JobContext, roundId: number, count: Count, members: Float64Array) {
  const { raw, clock } = context;
  const insert = raw.prepare(
    "insert or ignore into journal_index (member_id, version, kind, row_id) values (?, ?, ?, ?)",
  );
  const moveKeys = keyMover(context);
  const payout = raw.prepare("select version from payouts where round_id = ? and member_id = ?").pluck();
  for (let next = 0; next < members.length;) {
    immediately(raw, () => {
      const until = performance.now() + PIECE_MS;
      while (next < members.length && performance.now() < until) {
        const memberId = members[next++]!;
        const { ids, versions, win } = count.members.get(memberId)!;
        for (const [i, id] of ids.entries()) insert.run(memberId, versions[i], "bet", id);
        moveKeys(memberId, ids);
        if (win) insert.run(memberId, payout.get(roundId, memberId), "payout", roundId);
      }
      failpoint("index.piece", roundId);
    });
    yield;
  }
  failpoint("index.finish", roundId);
  immediately(raw, () =>
    raw.prepare("update rounds set indexed_at = ? where id = ? and indexed_at is null").run(clock.now(), roundId),
  );
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
