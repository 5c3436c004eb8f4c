import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import { DEFAULT_KIND, rulesOf } from "#shared/lottery/games.ts";
import { dayOf, SECOND_MS } from "#shared/time.ts";
import { START } from "./database.ts";

/** The settled round, and the open one. */
const PAST_ROUND = 1;
export const OPEN_ROUND = 2;

/** Any digest: the log takes no round with another commitment or seed. */
export const DIGEST = "aa".repeat(32);

const STAKE = 100;
const BETS_A_COMMIT = 256;

/**
 * Writes the bets of one settled round straight into the tables, with their keys, index rows and house entries. Every
 * member has equally many, in the order of real bets. A second round is open.
 */
export function fillPast(raw: Sqlite.Database, members: number, bets: number): void {
  immediately(raw, () => {
    fillRounds(raw, bets);
    fillBets(raw, members, bets);
    fillIndex(raw, members, bets);
    raw
      .prepare(
        `update rounds set closed_at = ?, to_bet = ?, seed = '${DIGEST}', dice = '[1,2,3]', drawn_at = ?,
         settled_at = ?, indexed_at = ? where id = ?`,
      )
      .run(START, bets, START, START, START, PAST_ROUND);
  });
  raw.pragma("wal_checkpoint(truncate)");
}

function fillRounds(raw: Sqlite.Database, bets: number): void {
  const odds = JSON.stringify(rulesOf(DEFAULT_KIND).odds);
  raw
    .prepare(
      `insert into games (id, key, kind, name, icon, period_s, close_s, created_at)
       values (1, 'k3-day', ?, '"A day"', '', 86400, 3, ?)`,
    )
    .run(DEFAULT_KIND, START);
  raw.prepare("insert into odds (id, game_id, milli, created_at) values (1, 1, ?, ?)").run(odds, START);
  const round = raw.prepare(
    `insert into rounds (id, game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet)
     values (?, 1, ?, 1, '${DIGEST}', 1, ?, ?, ?, ?)`,
  );
  const end = START + 86_400 * SECOND_MS;
  round.run(PAST_ROUND, dayOf(START) - 1, START, START, START, 1);
  round.run(OPEN_ROUND, dayOf(START), START, end - 3 * SECOND_MS, end, bets + 1);
}

function fillBets(raw: Sqlite.Database, members: number, bets: number): void {
  const bet = raw.prepare(
    `insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
     values (?, ?, ?, 1, 1, ?, ?, ?, ?, ?)`,
  );
  const house = raw.prepare(
    "insert into house_entries (kind, amount, from_id, to_id, created_at) values ('bets', ?, ?, ?, ?)",
  );
  for (let id = 1; id <= bets; id++) {
    const version = Math.ceil(id / members);
    bet.run(id, ((id - 1) % members) + 1, PAST_ROUND, STAKE, STAKE, version, STAKE, START);
    if (id % BETS_A_COMMIT === 0 || id === bets) {
      const from = Math.floor((id - 1) / BETS_A_COMMIT) * BETS_A_COMMIT + 1;
      house.run((id - from + 1) * STAKE, from, id, START);
    }
  }
}

/** Sorted by member, as in the tables. */
function fillIndex(raw: Sqlite.Database, members: number, bets: number): void {
  const index = raw.prepare("insert into journal_index (member_id, version, kind, row_id) values (?, ?, 'bet', ?)");
  const key = raw.prepare("insert into spent_keys (member_id, key, bet_id, request_hash) values (?, ?, ?, '')");
  const wallet = raw.prepare("update wallets set balance = balance - 1, version = version + 1 where member_id = ?");
  for (let memberId = 1; memberId <= Math.min(members, bets); memberId++) {
    for (let id = memberId, version = 1; id <= bets; id += members, version++) {
      index.run(memberId, version, id);
      key.run(memberId, `key-${version}`, id);
      wallet.run(memberId);
    }
  }
}
