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
/** Rows of a table that one transaction writes, so that a file of any size is filled with a small log. */
const ROWS_AT_ONCE = 1_000_000;
/** Keys are kept for a day: the newest bets have theirs. */
export const KEPT_KEYS = 3_000_000;

/**
 * Writes the bets of one settled round straight into the tables, with their keys, index rows and house entries. Every
 * member has equally many, in the order of real bets. A second round is open.
 */
export function fillPast(raw: Sqlite.Database, members: number, bets: number): void {
  immediately(raw, () => {
    fillRounds(raw, bets);
    fillHouse(raw, bets);
    fillWallets(raw, members, bets);
  });
  inParts(raw, bets, ROWS_AT_ONCE, (span) => fillBets(raw, members, span));
  const membersAtOnce = Math.max(1, Math.floor((ROWS_AT_ONCE * members) / bets));
  inParts(raw, members, membersAtOnce, (span) => fillIndex(raw, { members, bets }, span));
  raw
    .prepare(
      `update rounds set closed_at = ?, to_bet = ?, seed = '${DIGEST}', dice = '[1,2,3]', drawn_at = ?,
       settled_at = ?, indexed_at = ? where id = ?`,
    )
    .run(START, bets, START, START, START, PAST_ROUND);
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

interface Span {
  from: number;
  to: number;
}

function inParts(raw: Sqlite.Database, all: number, size: number, fill: (span: Span) => void): void {
  for (let from = 1; from <= all; from += size)
    immediately(raw, () => fill({ from, to: Math.min(from + size - 1, all) }));
}

/** The numbers of a span, as a table with one column, `i`. */
const numbers = (name: string, { from, to }: Span, step: number = 1): string =>
  `${name}(i) as (select ${from} union all select i + ${step} from ${name} where i + ${step} <= ${to})`;

function fillHouse(raw: Sqlite.Database, bets: number): void {
  const last = `min(i + ${BETS_A_COMMIT - 1}, ${bets})`;
  raw.exec(`with recursive ${numbers("commits", { from: 1, to: bets }, BETS_A_COMMIT)}
    insert into house_entries (kind, amount, from_id, to_id, created_at)
    select 'bets', (${last} - i + 1) * ${STAKE}, i, ${last}, ${START} from commits`);
}

/** A wallet's version is the number of its bets. The guard wants each of them on its own. */
function fillWallets(raw: Sqlite.Database, members: number, bets: number): void {
  const guard = raw.prepare("select sql from sqlite_master where name = 'wallets_version'").pluck().get() as string;
  const betCount = `((${bets} - member_id) / ${members} + 1)`;
  raw.exec(`drop trigger wallets_version;
    update wallets set balance = balance - ${betCount}, version = version + ${betCount} where member_id <= ${Math.min(members, bets)};
    ${guard}`);
}

function fillBets(raw: Sqlite.Database, members: number, span: Span): void {
  raw.exec(`with recursive ${numbers("ids", span)}
    insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
    select i, (i - 1) % ${members} + 1, ${PAST_ROUND}, 1, 1, ${STAKE}, ${STAKE}, (i - 1) / ${members} + 1, ${STAKE}, ${START} from ids`);
}

/** Sorted by member, as in the tables. */
function fillIndex(raw: Sqlite.Database, { members, bets }: { members: number; bets: number }, span: Span): void {
  const versions = { from: 1, to: Math.ceil(bets / members) };
  const id = `((v.i - 1) * ${members} + m.i)`;
  const sorted = `from m cross join v where ${id} <= ${bets}`;
  const tables = `with recursive ${numbers("m", span)}, ${numbers("v", versions)}`;
  raw.exec(`${tables} insert into journal_index (member_id, version, kind, row_id) select m.i, v.i, 'bet', ${id} ${sorted};
    ${tables} insert into spent_keys (member_id, key, bet_id, request_hash)
    select m.i, 'key-' || v.i, ${id}, '' ${sorted} and ${id} > ${bets - KEPT_KEYS}`);
}
