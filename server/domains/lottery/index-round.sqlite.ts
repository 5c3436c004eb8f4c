import { immediately } from "#db/sqlite/open.ts";
import type { Workbench } from "#db/sqlite/writer.ts";
import type { Count } from "./count-bets.ts";

const PIECE_MS = 8;

/**
 * Writes a settled round's bets and payouts into the journal index, sorted by
 * member, so that neighbouring rows share their pages. Started over after a
 * break: rows that are there already are passed by.
 */
export function* indexRound(bench: Workbench, roundId: number, count: Count, members: Float64Array) {
  const { raw, clock } = bench;
  const insert = raw.prepare(
    "insert or ignore into journal_index (member_id, version, kind, row_id) values (?, ?, ?, ?)",
  );
  const payout = raw.prepare("select version from payouts where round_id = ? and member_id = ?").pluck();
  for (let next = 0; next < members.length;) {
    immediately(raw, () => {
      const until = performance.now() + PIECE_MS;
      while (next < members.length && performance.now() < until) {
        const memberId = members[next++]!;
        const { ids, versions, win } = count.members.get(memberId)!;
        for (const [i, id] of ids.entries()) insert.run(memberId, versions[i], "bet", id);
        if (win) insert.run(memberId, payout.get(roundId, memberId), "payout", roundId);
      }
    });
    yield;
  }
  immediately(raw, () =>
    raw.prepare("update rounds set indexed_at = ? where id = ? and indexed_at is null").run(clock.now(), roundId),
  );
}
