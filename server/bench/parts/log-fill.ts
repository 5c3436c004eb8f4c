import { createHash } from "node:crypto";
import Sqlite from "better-sqlite3";
import { logLeaves } from "#db/schema/log.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { numberLeaves } from "#server/domains/log/number-leaves.ts";
import type { Site } from "#server/app/site.ts";
import { leafKey, leafText, type Leaf, type OpenKind } from "#shared/log/leaf.ts";
import { DEFAULT_KIND } from "#shared/lottery/games.ts";
import { roundText } from "#shared/lottery/schedule.ts";

/** Rounds whose leaves get their numbers together. */
const AT_ONCE = 12;
const MINUTE_MS = 60_000;
const MOST_TRIES = 10;

/** The room that the log's tables and their indexes take, in bytes. */
export interface LogRoom {
  leaves: number;
  bundles: number;
  tiles: number;
  rows: number;
  heads: number;
  headCount: number;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The leaves of a round with those of its minute: what seals and heads add. */
function leavesOf(n: number, at: number): Leaf<OpenKind>[] {
  const game = `game-${n % 3}`;
  const round = roundText({ day: Math.floor(n / 1_000) + 20_000, number: (n % 1_000) + 1 });
  const hash = (of: string) => hashOf(`${of} ${n}`);
  const place = { game, round } as const;
  const terms = { rules: DEFAULT_KIND, period: 60, unit: "point", odds: "1", odds_hash: hashOf("odds") } as const;
  return [
    {
      kind: "open",
      ...place,
      ...terms,
      commit: hash("c"),
      beacon_rule: "none",
      opens: at,
      closes: at + 57,
      draws: at + 60,
    },
    { kind: "close", ...place, bets: n % 97, stake: n * 100, bets_root: hash("b"), closed: at },
    {
      kind: "draw",
      ...place,
      seed: hash("s"),
      beacon: "",
      beacon_signature: "",
      dice: [(n % 6) + 1, (n % 5) + 1, 3],
      due: at,
      drawn: at + 4,
    },
    { kind: "settle", ...place, payouts: n % 31, payout: n * 90, payouts_root: hash("p"), settled: at + 9 },
    { kind: "seal", number: n + 1_000_000, root: hash("r"), seal: hash("l"), at },
    { kind: "time", time: at + 17 },
  ];
}

/** States so many leaves of rounds, and measures what they take. The log holds nothing else. */
export async function fillLog({ deps }: Site, file: string, count: number): Promise<LogRoom> {
  const before = roomOf(file);
  const begins = deps.clock.now() + MINUTE_MS;
  for (let n = 0; n * 6 < count; n += AT_ONCE) {
    const at = (i: number) => begins + (n + i) * MINUTE_MS;
    const leaves = Array.from({ length: AT_ONCE }, (_, i) => leavesOf(n + i, at(i))).flat();
    const rows = leaves.map((leaf) => ({ log: 1, key: shortKey(leafKey(leaf)), text: leafText(leaf) }));
    await surely(() =>
      deps.db.transact(async (tx) => {
        await tx.insert(logLeaves).values(rows);
        await numberLeaves(tx, 1, at(AT_ONCE), 0);
      }, "fence"),
    );
  }
  const after = roomOf(file);
  return Object.fromEntries(
    Object.entries(after).map(([name, room]) => [name, room - before[name as keyof LogRoom]]),
  ) as unknown as LogRoom;
}

/** On a busy machine a transaction may meet its time limit. Nothing of it is there then. */
async function surely(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES - 1) throw error;
    }
  }
}

function roomOf(file: string): LogRoom {
  using raw = closing(new Sqlite(file, { readonly: true }));
  const size = (table: string) =>
    raw
      .prepare(
        "select coalesce(sum(pgsize), 0) from dbstat where name in (select name from sqlite_master where tbl_name = ?)",
      )
      .pluck()
      .get(table) as number;
  const count = (table: string) => raw.prepare(`select count(*) from ${table}`).pluck().get() as number;
  return {
    leaves: count("log_leaves"),
    bundles: size("log_bundles"),
    tiles: size("log_tiles"),
    rows: size("log_leaves"),
    heads: size("log_heads"),
    headCount: count("log_heads"),
  };
}

const closing = (raw: Sqlite.Database) => Object.assign(raw, { [Symbol.dispose]: () => raw.close() });
