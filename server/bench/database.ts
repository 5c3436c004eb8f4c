import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Sqlite from "better-sqlite3";
import { migrateDatabase } from "#db/migrate.ts";
import { immediately, openSqlite } from "#db/sqlite/open.ts";
import { hashToken } from "#server/domains/session/tokens.ts";
import { DAY_MS } from "#shared/time.ts";

/** The start of every test clock: 2026-03-02 00:00:00 UTC, a Monday. */
export const START = Date.UTC(2026, 2, 2);

/** A member's first balance, in 1/100 unit: enough for all their bets. */
const BALANCE = 1_000_000_000_000;

/** The master key of every process of the bench: several may be on one database. */
export const MASTER = new Uint8Array(32);

/** A data folder with a migrated database. Disposing of it removes it. */
export interface BenchDatabase extends Disposable {
  folder: string;
  file: string;
}

const folders = new Set<string>();
process.on("exit", () => folders.forEach(clear));

function clear(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
}

/** Creates a database with so many members, each logged in, and runs `fill`. */
export async function createDatabase(
  members: number,
  fill: (raw: Sqlite.Database) => void = () => {},
): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "trio-bench-"));
  folders.add(folder);
  const file = join(folder, "trio.db");
  await migrateDatabase(file);
  const raw = openSqlite(file);
  immediately(raw, () => fillMembers(raw, members));
  fill(raw);
  raw.close();
  return { folder, file, [Symbol.dispose]: () => clear(folder) };
}

/** Deletes the bets' keys, as settlement does: otherwise those of earlier measurements would add up. */
export function clearKeys(file: string): void {
  const raw = openSqlite(file);
  raw.exec("delete from bet_keys");
  raw.pragma("wal_checkpoint(truncate)");
  raw.close();
}

/** Starts every member's membership. */
export function activateMembers(raw: Sqlite.Database): void {
  raw.prepare("update members set member_until = ?").run(START + 30 * DAY_MS);
}

/** The session token of a member, and the header that carries it. */
export const tokenOf = (memberId: number): string => `bench-${memberId}`;
export const tokenHeader = (memberId: number): string => Buffer.from(tokenOf(memberId)).toString("base64");

function fillMembers(raw: Sqlite.Database, count: number): void {
  const member = raw.prepare("insert into members (id, username, avatar, created_at) values (?, ?, 'avatar/1', ?)");
  const wallet = raw.prepare("insert into wallets (member_id, balance) values (?, ?)");
  const session = raw.prepare(
    `insert into sessions (member_id, token_hash, created_at, last_seen_at, ip, agent)
     values (?, ?, ?, ?, '127.0.0.1', 'bench')`,
  );
  for (let id = 1; id <= count; id++) {
    member.run(id, `member_${id}`, START);
    wallet.run(id, BALANCE);
    session.run(id, hashToken(tokenOf(id)), START, START);
  }
}
