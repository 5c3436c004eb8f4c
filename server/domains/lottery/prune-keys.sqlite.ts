import { immediately } from "#db/sqlite/open.ts";
import type { Workbench } from "#db/sqlite/writer.ts";
import { DAY_MS } from "#shared/time.ts";

const PAGE = 2_000;

/** Forgets bet keys that are a day old and whose bets are indexed, a page at a time. Returns how many went. */
export function* pruneBetKeys({ raw, clock }: Workbench): Generator<undefined, number> {
  const before = clock.now() - DAY_MS;
  // Everything up to the last bet of a round that closed a day ago, short of any round not yet indexed.
  const old = raw.prepare("select to_bet from rounds where closed_at < ? order by id desc limit 1").pluck().get(before);
  const open = raw.prepare("select min(from_bet) from rounds where indexed_at is null").pluck().get();
  const upTo = Math.min(Number(old ?? 0), open === null ? Number.MAX_SAFE_INTEGER : Number(open) - 1);
  if (upTo <= 0) return 0;
  const read = raw
    .prepare(
      `select member_id, key, bet_id from bet_keys where (member_id, key) > (?, ?)
       order by member_id, key limit ${PAGE}`,
    )
    .raw();
  const drop = raw.prepare("delete from bet_keys where member_id = ? and key = ?");
  let pruned = 0;
  for (let last: [number, string] = [0, ""]; ;) {
    const rows = read.all(...last) as [number, string, number][];
    const gone = rows.filter(([, , betId]) => betId <= upTo);
    if (gone.length) immediately(raw, () => gone.forEach(([memberId, key]) => drop.run(memberId, key)));
    pruned += gone.length;
    if (rows.length < PAGE) return pruned;
    last = [rows.at(-1)![0], rows.at(-1)![1]];
    yield;
  }
}
