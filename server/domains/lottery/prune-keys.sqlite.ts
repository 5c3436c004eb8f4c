import { immediately } from "#db/sqlite/open.ts";
import type { JobContext } from "#db/sqlite/writer.ts";
import { DAY_MS } from "#shared/time.ts";

const PAGE = 2_000;

/** Deletes the spent idempotency keys of bets whose round closed a day ago, page by page. Returns how many. */
export function* pruneKeys({ raw, clock }: JobContext): Generator<undefined, number> {
  const before = clock.now() - DAY_MS;
  const upTo = raw
    .prepare("select to_bet from rounds where closed_at < ? order by id desc limit 1")
    .pluck()
    .get(before);
  if (upTo === undefined) return 0;
  const read = raw
    .prepare(
      `select member_id, key, bet_id from spent_keys where (member_id, key) > (?, ?)
       order by member_id, key limit ${PAGE}`,
    )
    .raw();
  const drop = raw.prepare("delete from spent_keys where member_id = ? and key = ?");
  let pruned = 0;
  for (let last: [number, string] = [0, ""]; ;) {
    const rows = read.all(...last) as [number, string, number][];
    const old = rows.filter(([, , betId]) => betId <= Number(upTo));
    if (old.length) immediately(raw, () => old.forEach(([memberId, key]) => drop.run(memberId, key)));
    pruned += old.length;
    if (rows.length < PAGE) return pruned;
    last = [rows.at(-1)![0], rows.at(-1)![1]];
    yield;
  }
}
